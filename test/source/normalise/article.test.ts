import { describe, expect, test } from 'vitest';
import { describeInvalid, isArticleId, normaliseArticle } from '../../../src/source/normalise/article.ts';
import { fc, runs } from '../../support/properties.ts';
import { articleRecord } from '../support/records.ts';

function read(fields: Record<string, unknown>, defaultLanguage = 'en') {
  const result = normaliseArticle(articleRecord('aaaaaaaaaa', fields), defaultLanguage);
  if (result.kind !== 'public') throw new Error(`it is ${result.kind}`);
  return result;
}

function codes({ problems }: { problems: readonly { code: string }[] }): string[] {
  return problems.map(({ code }) => code);
}

const german = { language_code: 'de', title: 'Titel', body: '<p>Text</p>' };

describe('an article record', () => {
  test('may write its language codes with underscores, which is reported', () => {
    const multilingual = [
      { ...german, language_code: 'zh_CN' },
      { ...german, language_code: 'pt_BR' },
      { ...german, language_code: 'en_us!' },
    ];
    const { article, problems } = read({ multilingual });
    expect(article.translations.map(({ language }) => language)).toEqual(['en', 'pt-BR', 'zh-CN']);
    expect(problems).toMatchObject([
      { code: 'LANGUAGE_NORMALISED', message: 'zh_CN was read as zh-CN', language: 'zh-CN' },
      { code: 'LANGUAGE_NORMALISED', message: 'pt_BR was read as pt-BR', language: 'pt-BR' },
      { code: 'LANGUAGE_INVALID' },
    ]);
  });

  test('has the code of the country where people write UK, which is reported', () => {
    const multilingual = [
      { ...german, language_code: 'en-UK' },
      { ...german, language_code: 'en_uk' },
      { ...german, language_code: 'uk' },
    ];
    const { article, problems } = read({ multilingual }, 'fr');
    expect(article.translations.map(({ language }) => language)).toEqual(['fr', 'en-GB', 'uk']);
    expect(problems).toMatchObject([
      { code: 'LANGUAGE_NORMALISED', message: 'en-UK was read as en-GB', language: 'en-GB' },
      { code: 'LANGUAGE_NORMALISED', message: 'en_uk was read as en-GB', language: 'en-GB' },
      { code: 'DUPLICATE_RECORD', language: 'en-GB' },
    ]);
  });

  test.each(['<p><br></p>', '<p>&nbsp;</p>', '<div><br></div>', '<!-- text -->', '<p hidden>text</p>'])(
    'has no text if an editor left %j of it',
    (body) => {
      const { article, problems } = read({ multilingual: [{ ...german, body }] });
      expect(article.translations.map(({ language }) => language)).toEqual(['en']);
      expect(problems).toMatchObject([{ code: 'TRANSLATION_INCOMPLETE', message: 'de has no body' }]);
      const all = normaliseArticle(articleRecord('aaaaaaaaaa', { body, multilingual: [] }), 'en');
      expect(all).toMatchObject({
        kind: 'excluded',
        reason: 'no-content',
        problems: [
          { code: 'TRANSLATION_INCOMPLETE' },
          { code: 'ARTICLE_NOT_PUBLISHABLE', message: 'there is a title but no text below it' },
        ],
      });
    },
  );

  test('takes a text that an editor emptied from the entry of its language', () => {
    const { article } = read({
      body: '<p><br></p>',
      multilingual: [{ language_code: 'en', title: 'T', body: '<p>Text</p>' }],
    });
    expect(article.translations.map(({ language }) => language)).toEqual(['en']);
  });

  test('is in one language, whether that has its old or its current code', () => {
    const multilingual = [
      { ...german, language_code: 'iw', title: 'Old' },
      { ...german, language_code: 'he', title: 'New' },
    ];
    const { article, problems } = read({ multilingual }, 'en');
    expect(article.translations.map(({ language }) => language)).toEqual(['en', 'iw']);
    expect(problems).toMatchObject([{ code: 'DUPLICATE_RECORD', language: 'he' }]);
    expect(
      read({ multilingual: [{ ...german, language_code: 'iw' }] }, 'he').article.translations,
    ).toHaveLength(1);
  });

  test('has a date per language if a translation gives one, and fingerprints of its call-outs', () => {
    const note = '<div class="note">This article is about lockers.</div>';
    const dated = { ...german, body: `${note}<p>Text</p>`, updated_at: '2026-02-01T12:00:00+02:00' };
    const { article } = read({ updated_at: '2026-03-01', body: note, multilingual: [dated] });
    const [english, translated] = article.translations;
    expect([english?.updatedAt, translated?.updatedAt]).toEqual([null, '2026-02-01T10:00:00.000Z']);
    expect(english?.blockFingerprints).toHaveLength(1);
    expect(translated?.blockFingerprints).toEqual(english?.blockFingerprints);
  });

  test('says what is wrong with its tags', () => {
    const { article, problems } = read({ tags: ['a', ['b'], null] });
    expect(article.tags).toEqual(['a']);
    expect(problems.map(({ message }) => message)).toEqual([
      'tags must be a list of strings, but contains a list',
      'tags must be a list of strings, but contains null',
    ]);
  });

  test('gives every field', () => {
    const { article } = read({
      category_id: 'cat0000000',
      tags: [' a ', 'b', 'a', ''],
      created_at: '2026-01-01',
      updated_at: '2026-01-02T10:00:00+02:00',
      is_featured: true,
      show_toc: false,
      order: 3,
      description: 'About',
    });
    expect(article).toMatchObject({
      id: 'aaaaaaaaaa',
      categoryId: 'cat0000000',
      tags: ['a', 'b'],
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T08:00:00.000Z',
      isFeatured: true,
      showToc: false,
      sortOrder: 3,
      translations: [
        { language: 'en', title: 'Title of aaaaaaaaaa', slug: 'slug-aaaaaaaaaa', description: 'About' },
      ],
    });
  });

  test('may lack everything that is not needed', () => {
    const { article, problems } = normaliseArticle(
      { article_id: 'aaaaaaaaaa', title: 'T', body: 'B', is_published: true, is_private: false },
      'en',
    ) as ReturnType<typeof read>;
    expect(problems).toEqual([]);
    expect(article).toMatchObject({
      categoryId: null,
      tags: [],
      createdAt: null,
      sortOrder: null,
      showToc: true,
    });
  });

  test('has keywords if it is an old one', () => {
    expect(read({ tags: undefined, keywords: ['x'] }).article.tags).toEqual(['x']);
  });

  test('of wrong types is read as if they were missing, and reported', () => {
    const result = read({
      slug: 7,
      description: {},
      tags: 'x',
      created_at: 'yesterday',
      is_featured: 'yes',
      sort_order: '1',
    });
    expect(result.article).toMatchObject({ tags: [], createdAt: null, isFeatured: false, sortOrder: null });
    expect(result.article.translations[0]).toMatchObject({ slug: '7', description: null });
    expect(codes(result)).toEqual(Array.from({ length: 5 }, () => 'FIELD_INVALID'));
  });

  test.each([null, 'text', 7, [], undefined])('is never %j', (value) => {
    expect(describeInvalid(value)).toMatchObject({
      code: 'ID_INVALID',
      message: 'an entry of the list of articles is not an object',
    });
  });

  test.each([undefined, null, 7, '', 'short', 'aaaaaaaaaaa', '../../etc/', 'aaaaaaaaa\n', 'ääääääääää'])(
    'needs an id of the pattern, not %j',
    (article_id) => {
      expect(isArticleId(article_id)).toBe(false);
      expect(describeInvalid(articleRecord('x', { article_id }))).toMatchObject({
        code: 'ID_INVALID',
        message: expect.stringContaining('is not a valid article id'),
      });
    },
  );

  test('that is not public does not reveal its content in problems', () => {
    const secret = { title: 'SECRET', body: 'SECRET', tags: 'SECRET', slug: {}, is_published: null };
    const result = normaliseArticle(articleRecord('aaaaaaaaaa', secret), 'en');
    expect(result).toMatchObject({ kind: 'excluded', problems: [{ code: 'VISIBILITY_UNKNOWN' }] });
    expect(JSON.stringify(result)).not.toContain('SECRET');
  });

  test('whose visibility is unknown names the fields that are', () => {
    expect(
      normaliseArticle(articleRecord('aaaaaaaaaa', { is_private: 'no', permission_groups: 3 }), 'en'),
    ).toMatchObject({
      kind: 'excluded',
      reason: 'visibility-unknown',
      problems: [{ code: 'VISIBILITY_UNKNOWN', message: 'is_private and permission_groups cannot be read' }],
    });
  });

  test('without a title and a body in any language is not published', () => {
    expect(
      normaliseArticle(articleRecord('aaaaaaaaaa', { body: null, multilingual: [] }), 'en'),
    ).toMatchObject({
      kind: 'excluded',
      reason: 'no-content',
      problems: [{ code: 'TRANSLATION_INCOMPLETE' }, { code: 'ARTICLE_NOT_PUBLISHABLE' }],
    });
  });

  test('never makes the reader fail, whatever it contains', { tags: 'property' }, () => {
    const field = fc.constantFrom(
      ...Object.keys(articleRecord('aaaaaaaaaa')),
      'is_live',
      'language_code',
      'status',
    );
    const record = fc.dictionary(
      field,
      fc.oneof(fc.jsonValue(), fc.array(fc.dictionary(field, fc.jsonValue()))),
    );
    fc.assert(
      fc.property(record, (fields) => {
        for (const whole of [fields, articleRecord('aaaaaaaaaa', fields)]) {
          const result = normaliseArticle(whole, 'en');
          if (result.kind === 'public') expect(result.article.translations.length).toBe(result.bodies.size);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('the languages of an article', () => {
  test('are the default language and the public translations, sorted by tag', () => {
    const multilingual = [
      { ...german, language_code: 'fr' },
      german,
      { ...german, language_code: 'es', is_live: false },
    ];
    expect(read({ multilingual }).article.translations.map(({ language }) => language)).toEqual([
      'en',
      'de',
      'fr',
    ]);
  });

  test('count when they have a title and a body', () => {
    const result = read({
      multilingual: [
        { language_code: 'de', title: 'Titel' },
        { language_code: 'fr', body: 'Corps', title: ' ' },
        { language_code: 'it' },
      ],
    });
    expect(result.article.translations.map(({ language }) => language)).toEqual(['en']);
    expect(result.problems).toMatchObject([
      { code: 'TRANSLATION_INCOMPLETE', language: 'de', message: 'de has no body' },
      { code: 'TRANSLATION_INCOMPLETE', language: 'fr', message: 'fr has no title' },
    ]);
  });

  test('may lack the default language', () => {
    const { article } = read({ title: null, body: null, multilingual: [german] });
    expect(article.translations.map(({ language }) => language)).toEqual(['de']);
  });

  test('take from an element for the default language only fields that the record lacks', () => {
    const { bodies, article } = read({
      title: 'Own',
      body: null,
      description: null,
      multilingual: [{ language_code: 'EN', title: 'Other', body: 'Other body', description: 'Other text' }],
    });
    expect(article.translations[0]).toMatchObject({
      language: 'en',
      title: 'Own',
      description: 'Other text',
    });
    expect(bodies.get('en')).toBe('Other body');
  });

  test('take nothing from a hidden element for the default language', () => {
    const hidden = {
      language_code: 'en',
      title: 'Other',
      body: 'Other',
      description: 'Other',
      is_live: false,
    };
    expect(
      read({ description: null, multilingual: [hidden] }).article.translations[0]?.description,
    ).toBeNull();
  });

  test('have their own slug, else that of the record', () => {
    const { article } = read({
      slug: 'own',
      multilingual: [german, { ...german, language_code: 'fr', slug: 'fr-slug' }],
    });
    expect(article.translations.map(({ slug }) => slug)).toEqual(['own', 'own', 'fr-slug']);
  });

  test('are reported if they cannot be used', () => {
    const multilingual = [
      german,
      { ...german, language_code: 'DE' },
      { ...german, language_code: '../x' },
      { ...german, language_code: null },
      { ...german, language_code: 'fr', is_live: 'perhaps' },
      'text',
    ];
    const result = read({ multilingual });
    expect(result.article.translations.map(({ language }) => language)).toEqual(['en', 'de']);
    expect(codes(result)).toEqual([
      'DUPLICATE_RECORD',
      'LANGUAGE_INVALID',
      'LANGUAGE_INVALID',
      'VISIBILITY_UNKNOWN',
      'FIELD_INVALID',
    ]);
  });

  test.each([
    [{ is_live: 'perhaps' }, 'is_live of de is neither true nor false'],
    [{ is_published: 'no' }, 'is_published of de is neither true nor false'],
    [{ is_private: null }, 'is_private of de is neither true nor false'],
    [{ permission_groups: 'staff' }, 'permission_groups of de cannot be read'],
  ])('are reported by the field that cannot be read: %j', (fields, message) => {
    const { problems } = read({ multilingual: [{ ...german, ...fields }] });
    expect(problems.map((one) => one.message)).toEqual([message]);
  });

  test('may be a thousand', () => {
    const multilingual = Array.from({ length: 26 * 26 * 2 }, (_, index) => ({
      ...german,
      language_code: `${String.fromCharCode(97 + (index % 26))}${String.fromCharCode(97 + (Math.floor(index / 26) % 26))}${index < 676 ? '' : '-US'}`,
    }));
    expect(read({ multilingual }).article.translations.length).toBeGreaterThan(1000);
  });
});
