import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { builtInTemplates } from '../../src/site/pages/template-files.ts';
import {
  chooseLocale,
  createTexts,
  type LocaleTexts,
  readLocales,
  type TextEntry,
  type TextKey,
} from '../../src/site/pages/texts.ts';

const folder = fileURLToPath(new URL('../../templates/locales', import.meta.url));
const tags = readdirSync(folder).map((name) => name.replace(/\.json$/, ''));
const files = new Map(tags.map((tag) => [tag, readFileSync(`${folder}/${tag}.json`, 'utf8')]));
const locales = new Map(
  [...files].map(([tag, json]) => [tag, JSON.parse(json) as Required<LocaleTexts>] as const),
);
const english = locales.get('en') as Required<LocaleTexts>;
const textKeys = Object.keys(english) as readonly TextKey[];

const formsOf = (entry: TextEntry): readonly string[] =>
  typeof entry === 'string' ? [entry] : Object.values(entry);

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Languages that have the English word for a kind of callout. */
const sharedCallouts: Readonly<Record<string, readonly string[]>> = {
  calloutTip: ['cs', 'da', 'nl', 'sk', 'pcm'],
  calloutImportant: ['ca', 'fr', 'ro', 'pcm'],
  calloutNote: ['pcm'],
  calloutWarning: ['pcm'],
};

/** Words that English and another language share; for other keys, an equal text is untranslated. */
const shared = new Set([
  'articleCount',
  'menu',
  'home',
  'index',
  'contact',
  'articles',
  'topics',
  'popular',
  'markdown',
  'feed',
  // Danish and Norwegian.
  'feedbackSend',
  // Catalan, Italian and Spanish.
  'no',
]);

describe('the interface languages', () => {
  it('are at least 45', () => {
    expect(tags.length).toBeGreaterThanOrEqual(45);
  });

  it.each(tags)('%s is a tag in its normal spelling', (tag) => {
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
  });

  it.each([...locales])('%s has every text, in the order of English', (_tag, texts) => {
    expect(Object.keys(texts)).toEqual(textKeys);
  });

  it.each([...locales])('%s has exactly the plural forms the language has', (tag, texts) => {
    // Node does not know the rules of Sanskrit and uses those of English.
    const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.toSorted();
    for (const key of ['articleCount', 'searchCount'] as const) {
      expect(Object.keys(texts[key]).sort(), key).toEqual(categories);
    }
  });

  it.each([...locales])('%s names what a text is about where English does', (_tag, texts) => {
    for (const key of textKeys) {
      const wanted = namesIn(formsOf(english[key])[0] ?? '');
      for (const form of formsOf(texts[key])) {
        // A form for exactly one or two may say so in words.
        const names = namesIn(form);
        const isWord = wanted[0] === 'count' && typeof texts[key] !== 'string' && names.length === 0;
        if (!isWord || form === (texts[key] as { other: string }).other) expect(names, key).toEqual(wanted);
      }
    }
  });

  it.each([...locales])('%s has no text that is empty, padded or marked up', (_tag, texts) => {
    for (const key of textKeys) {
      for (const form of formsOf(texts[key])) {
        expect(form, key).toMatch(/^\S(?:.*\S)?$/);
        expect(form, key).not.toMatch(/[<>]|&\w+;|\.\.\./);
        expect(form, key).toBe(form.normalize('NFC'));
      }
    }
  });

  it.each([...locales].filter(([tag]) => tag !== 'en'))('%s is translated', (tag, texts) => {
    const same = textKeys.filter(
      (key) =>
        !shared.has(key) &&
        !sharedCallouts[key]?.includes(tag) &&
        JSON.stringify(texts[key]) === JSON.stringify(english[key]),
    );
    expect(same).toEqual([]);
  });

  it.each([...files])('%s is written as an editor would save it', (_tag, json) => {
    expect(json).toBe(`${JSON.stringify(JSON.parse(json), null, 2)}\n`);
  });
});

describe('the look-up of an interface language', () => {
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-PT'],
    ['pt-AO', 'pt-BR'],
    ['zh-hans', 'zh-CN'],
    ['zh-Hans-SG', 'zh-CN'],
    ['zh-hant', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['zh', 'zh-CN'],
    ['no', 'nb'],
    ['nn', 'nb'],
    ['iw', 'he'],
    ['in', 'id'],
    ['es-419', 'es'],
    ['sr-Latn', 'en'],
    ['EN-us', 'en'],
    ['tlh', 'en'],
  ])('gives %s the texts of %s', (language, locale) => {
    expect(chooseLocale(tags, language)).toBe(locale);
  });

  it.each(['be', 'pcm', 'sa', 'sw', 'ta', 'ms', 'fa', 'hi'])('knows %s', (language) => {
    expect(chooseLocale(tags, language)).toBe(language);
  });

  it('gives every language of a file its own texts', async () => {
    const read = readLocales([builtInTemplates]);
    for (const tag of tags) expect(createTexts(read, tag).locale).toBe(tag);
  });
});

describe('plural forms', () => {
  it.each([
    ['en', [1, 2], ['1 article', '2 articles']],
    ['pl', [1, 3, 5, 22], ['1 artykuł', '3 artykuły', '5 artykułów', '22 artykuły']],
    ['ru', [1, 3, 5, 21], ['1 статья', '3 статьи', '5 статей', '21 статья']],
    ['fr', [0, 1, 2], ['0 article', '1 article', '2 articles']],
    ['ja', [1, 2], ['1 件の記事', '2 件の記事']],
  ] as const)('of %s follow its rules', async (tag, counts, wanted) => {
    const { text } = createTexts(readLocales([builtInTemplates]), tag);
    expect(counts.map((count) => text('articleCount', { count }))).toEqual(wanted);
  });

  it('are written with the digits of the language', async () => {
    const read = readLocales([builtInTemplates]);
    expect(createTexts(read, 'fa').text('articleCount', { count: 12 })).toContain('۱۲');
  });
});
