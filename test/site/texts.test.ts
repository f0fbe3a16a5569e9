import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtInTemplates } from '../../src/site/pages/template-files.ts';
import { createTexts, type Locales, readLocales } from '../../src/site/pages/texts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = builtInTemplates;
let locales: Locales;

beforeAll(async () => {
  locales = readLocales([folder]);
});

describe('counts are written with plural form and digits of the language', () => {
  test.each([
    ['en', 1200, '1,200 articles'],
    ['de', 1200, '1.200 Artikel'],
    ['ar', 2, 'مقالتان'],
    ['ar', 11, '11 مقالة'],
    ['he', 2, 'שני מאמרים'],
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
    const own = temporaryFolder();
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
