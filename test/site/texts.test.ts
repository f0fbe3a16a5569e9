import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { builtInTemplates } from '../../src/site/pages/template-files.ts';
import {
  chooseLocale,
  createTexts,
  type Locales,
  readLocales,
  textKeys,
} from '../../src/site/pages/texts.ts';

const folder = builtInTemplates;
let locales: Locales;

beforeAll(async () => {
  locales = readLocales([folder]);
});

test('English has every text, in the order of the keys', async () => {
  expect(Object.keys(locales.get('en') ?? {})).toEqual([...textKeys]);
});

test('at least thirty languages have every text', async () => {
  const names = await readdir(join(folder, 'locales'));
  expect(names.length).toBeGreaterThanOrEqual(30);
  for (const [tag, texts] of locales)
    expect(Object.keys(texts).toSorted(), tag).toEqual([...textKeys].toSorted());
});

test('texts of every language use the placeholders English uses, and no others', () => {
  const placeholders = (entry: unknown): readonly string[] =>
    [...new Set(JSON.stringify(entry).match(/\{\w+\}/g))].toSorted();
  for (const [tag, texts] of locales) {
    for (const key of textKeys) {
      expect(placeholders(texts[key]), `${tag} ${key}`).toEqual(placeholders(locales.get('en')?.[key]));
    }
  }
});

test('counted texts have exactly the plural forms of their language', () => {
  for (const [tag, texts] of locales) {
    const wanted = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.toSorted();
    for (const key of ['searchCount', 'articleCount'] as const) {
      expect(Object.keys(texts[key] ?? {}).toSorted(), `${tag} ${key}`).toEqual(wanted);
    }
  }
});

describe('a language gets the texts', () => {
  test.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-PT'],
    ['zh', 'zh-CN'],
    ['zh-hans', 'zh-CN'],
    ['zh-Hant', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['no', 'nb'],
    ['EN-us', 'en'],
    ['tlh', 'en'],
  ])('%s of %s', (language, expected) => {
    expect(chooseLocale([...locales.keys()], language)).toBe(expected);
  });
});

describe('counts are written with plural form and digits of the language', () => {
  test.each([
    ['en', 1, '1 article'],
    ['en', 1200, '1,200 articles'],
    ['de', 1200, '1.200 Artikel'],
    ['pl', 3, '3 artykuły'],
    ['pl', 5, '5 artykułów'],
    ['ru', 21, '21 статья'],
    ['ar', 2, 'مقالتان'],
    ['ar', 11, '11 مقالة'],
    ['he', 2, 'שני מאמרים'],
    ['ja', 4, '4 件の記事'],
  ])('%s %d', (language, count, expected) => {
    expect(createTexts(locales, language).text('articleCount', { count })).toBe(expected);
  });
});

test('dates are written as the language writes them, in UTC', () => {
  const time = '2026-12-31T23:30:00.000Z';
  expect(createTexts(locales, 'en').date(time)).toBe('December 31, 2026');
  expect(createTexts(locales, 'de').date(time)).toBe('31. Dezember 2026');
  expect(createTexts(locales, 'ja').date(time)).toBe('2026年12月31日');
});

describe('a file of texts', () => {
  const readWith = async (name: string, content: string): Promise<Locales> => {
    const own = await mkdtemp(join(tmpdir(), 'lectern-texts-'));
    onTestFinished(() => rm(own, { recursive: true }));
    await mkdir(join(own, 'locales/fr.json'), { recursive: true });
    await writeFile(join(own, 'locales', name), content);
    return readLocales([folder, own]);
  };

  test('may begin with the byte order mark that editors write', async () => {
    const read = await readWith('de.json', '\ufeff{"home":"Los"}');
    expect(createTexts(read, 'de').text('home')).toBe('Los');
  });

  test('may spell its language in another case', async () => {
    const read = await readWith('PT-br.json', '{"home":"Casa"}');
    expect(createTexts(read, 'pt-BR').text('home')).toBe('Casa');
  });

  test.each([
    ['pt_BR.json', 'pt_BR.json is not named like a language; did you mean pt-BR.json?'],
    ['en copy.json', 'en copy.json is not named like a language'],
  ])('must have the name of a language: %s', async (name, message) => {
    await expect(readWith(name, '{}')).rejects.toMatchObject({
      code: 'TEMPLATE_FAILED',
      message: expect.stringMatching(new RegExp(`/${message.replaceAll('?', '\\?')}$`)),
    });
  });
});
