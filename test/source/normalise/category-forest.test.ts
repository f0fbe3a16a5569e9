import { describe, expect, test } from 'vitest';
import {
  buildForest,
  type LooseCategory,
  normaliseCategory,
} from '../../../src/source/normalise/category.ts';
import { fc } from '../../support/properties.ts';

function loose(id: string, parentId: string | null = null, rest: Partial<LooseCategory> = {}): LooseCategory {
  return {
    ...{ id, parentId, isHidden: false, sortOrder: null, icon: null, updatedAt: null, translations: [] },
    ...rest,
  };
}

function outline(listed: readonly LooseCategory[]) {
  const { categories, problems } = buildForest(listed);
  return {
    tree: categories.map(({ id, parentId }) => (parentId === null ? id : `${parentId}/${id}`)),
    problems: problems.map(({ code, categoryId }) => `${code} ${categoryId}`),
  };
}

describe('a category forest', () => {
  test('has parents before children, in the order of the list', () => {
    expect(outline([loose('b1', 'b'), loose('b'), loose('a'), loose('b0', 'b')])).toEqual({
      tree: ['b', 'b/b1', 'b/b0', 'a'],
      problems: [],
    });
  });

  test('has siblings in their sort order, those without one last', () => {
    const listed = [
      loose('x'),
      loose('c', null, { sortOrder: 3 }),
      loose('a', null, { sortOrder: -1 }),
      loose('y'),
    ];
    expect(outline(listed).tree).toEqual(['a', 'c', 'x', 'y']);
  });

  test('has orphans at its top', () => {
    expect(outline([loose('a', 'missing')])).toEqual({ tree: ['a'], problems: ['CATEGORY_UNKNOWN a'] });
  });

  test('has loops cut at their smallest id', () => {
    expect(outline([loose('c', 'b'), loose('b', 'a'), loose('a', 'c'), loose('d', 'c')])).toEqual({
      tree: ['a', 'a/b', 'b/c', 'c/d'],
      problems: ['CATEGORY_UNKNOWN a'],
    });
    expect(outline([loose('self', 'self')])).toEqual({
      tree: ['self'],
      problems: ['CATEGORY_UNKNOWN self'],
    });
  });

  test('has the newer of two categories with one id', () => {
    const listed = [
      loose('a', null, { updatedAt: '2026-01-01' }),
      loose('a', 'b', { updatedAt: '2026-01-02' }),
      loose('b'),
    ];
    expect(outline(listed)).toEqual({ tree: ['b', 'b/a'], problems: ['DUPLICATE_RECORD a'] });
  });

  test('may be a hundred thousand deep', () => {
    const listed = Array.from({ length: 100_000 }, (_, index) =>
      loose(`c${index}`, index === 0 ? null : `c${index - 1}`),
    );
    const { categories, problems } = buildForest(listed.reverse());
    expect([categories.length, categories.at(-1)?.id, problems]).toEqual([100_000, 'c99999', []]);
  });

  test('contains every category once, after its parent, whatever the parents are', {
    tags: 'property',
  }, () => {
    const parents = fc.array(fc.option(fc.nat({ max: 12 })), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(parents, (indices) => {
        const { categories } = buildForest(
          indices.map((parent, index) => loose(`c${index}`, parent === null ? null : `c${parent}`)),
        );
        const seen = new Set<string>();
        for (const { id, parentId } of categories) {
          expect(parentId === null || seen.has(parentId)).toBe(true);
          seen.add(id);
        }
        expect(seen.size).toBe(indices.length);
        expect(categories).toHaveLength(indices.length);
      }),
    );
  });
});

describe('a category record', () => {
  test('has titles and descriptions per language; a translation may call its description body', () => {
    const record = {
      category_id: 'c1',
      title: ' Guides ',
      description: 'All guides',
      slug: 'guides',
      multilingual: [
        { language_code: 'fr', title: 'Guides', body: 'Tous' },
        { language_code: 'de', title: 'Anleitungen', slug: 'anleitungen' },
        { language_code: 'es', description: 'sin título' },
      ],
    };
    expect(normaliseCategory(record, 'en').category?.translations).toEqual([
      { language: 'en', title: 'Guides', slug: 'guides', description: 'All guides' },
      { language: 'de', title: 'Anleitungen', slug: 'anleitungen', description: null },
      { language: 'fr', title: 'Guides', slug: 'guides', description: 'Tous' },
    ]);
  });

  test('has the first translation with a title of several into one language', () => {
    const record = {
      category_id: 'c1',
      title: 'Guides',
      multilingual: [
        { language_code: 'de', slug: 'leer' },
        { language_code: 'DE', title: 'Anleitungen' },
        { language_code: 'de', title: 'Mehr' },
      ],
    };
    const { category, problems } = normaliseCategory(record, 'en');
    expect(category?.translations.map(({ title }) => title)).toEqual(['Guides', 'Anleitungen']);
    expect(problems).toMatchObject([{ code: 'DUPLICATE_RECORD', language: 'de' }]);
  });

  test('without any title is called by its id', () => {
    const { category, problems } = normaliseCategory(
      { category_id: 'c1', title: ' ', multilingual: [{}] },
      'en',
    );
    expect(category?.translations).toEqual([{ language: 'en', title: 'c1', slug: null, description: null }]);
    expect(problems.map(({ code }) => code)).toEqual(['LANGUAGE_INVALID', 'CATEGORY_UNTITLED']);
  });

  test.each([
    [{ is_private: true }, 'is_private'],
    [{ is_published: false }, 'is_published'],
    [{ permission_groups: ['staff'] }, 'permission_groups'],
    [{ is_deleted: true }, 'is_deleted'],
    [{ status: 'draft' }, 'status'],
  ])('with %j is hidden and reported, because it may not be public', (fields, name) => {
    const { category, problems } = normaliseCategory({ category_id: 'c1', title: 'Plans', ...fields }, 'en');
    expect(category?.isHidden).toBe(true);
    expect(problems.map(({ code }) => code)).toEqual(['VISIBILITY_UNKNOWN']);
    expect(problems[0]?.message).toContain(name);
  });

  test('that is listed twice is hidden if one of them is, unless the other one is newer', () => {
    const hidden = loose('a', null, { isHidden: true });
    expect([...buildForest([loose('a'), hidden]).hidden]).toEqual(['a']);
    expect([...buildForest([hidden, loose('a')]).hidden]).toEqual(['a']);
    expect([...buildForest([hidden, loose('a', null, { updatedAt: '2026-01-01' })]).hidden]).toEqual([]);
  });

  test('that is hidden hides those below it', () => {
    const { categories, hidden, problems } = buildForest([
      loose('c1', 'a1'),
      loose('b1', 'c1'),
      loose('a1', null, { isHidden: true }),
      loose('d1'),
    ]);
    expect(categories.map(({ id }) => id)).toEqual(['d1']);
    expect([...hidden].sort()).toEqual(['a1', 'b1', 'c1']);
    expect(problems).toEqual([]);
  });

  test.each([undefined, null, '', '../x', 'a/b', 'a'.repeat(65)])(
    'needs an id that can be part of a URL, not %j',
    (id) => {
      expect(normaliseCategory({ category_id: id, title: 'T' }, 'en')).toMatchObject({
        category: null,
        problems: [{ code: 'ID_INVALID' }],
      });
    },
  );

  test.each([null, 7, []])('is never %j', (value) => {
    expect(normaliseCategory(value, 'en')).toMatchObject({
      category: null,
      problems: [{ code: 'ID_INVALID' }],
    });
  });
});
