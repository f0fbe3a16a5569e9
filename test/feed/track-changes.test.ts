import { describe, expect, it } from 'vitest';
import { compareDocuments, type DocumentState, markFields } from '../../src/feed/history/track-changes.ts';
import type { DocumentRecord } from '../../src/feed/records/record-schemas.ts';
import { fc } from '../support/properties.ts';

/** The marks of a document with these fields. */
const marksOf = (fields: object) =>
  markFields({ content: { markdown: '', text: '' }, ...fields } as DocumentRecord);

const stateOf = (articleId: string, language: string, hash: string): DocumentState => ({
  id: `a-${articleId}-${language}`,
  articleId,
  language,
  hash,
  url: `https://help.example.com/${language}/article/${articleId}/`,
  metaHash: 'b'.repeat(64),
  chunksHash: 'd'.repeat(64),
  updatedAt: null,
  marks: marksOf({}),
  translation: { source_language: 'en', outdated: false },
});

const publicState = { articles: new Map(), excluded: new Map(), languages: null };
const byId = (states: readonly DocumentState[]) => new Map(states.map((state) => [state.id, state]));

describe('comparing the documents of two builds', () => {
  it('finds an upsert for new content, a move for another URL, and nothing for the same', () => {
    const before = ['a', 'b', 'c', 'd'].map((id) => stateOf(id, 'en', '0'));
    const now = [
      stateOf('a', 'en', '1'),
      { ...stateOf('b', 'en', '0'), url: 'https://help.example.com/b/', metaHash: 'c'.repeat(64) },
      stateOf('c', 'en', '0'),
      stateOf('e', 'en', '0'),
    ];
    const { changes, removed } = compareDocuments(byId(before), now, publicState);
    expect(changes.map(({ op, id }) => [op, id])).toEqual([
      ['upsert', 'a-a-en'],
      ['move', 'a-b-en'],
      ['delete', 'a-d-en'],
      ['upsert', 'a-e-en'],
    ]);
    expect(removed).toMatchObject([{ id: 'a-d-en', last_hash: '0', reason: 'deleted' }]);
  });

  it('announces a rechunk of a document that is cut otherwise, and of no other', () => {
    const before = ['a', 'b'].map((id) => stateOf(id, 'en', '0'));
    const now = [{ ...stateOf('a', 'en', '0'), chunksHash: 'e'.repeat(64) }, stateOf('b', 'en', '0')];
    expect(compareDocuments(byId(before), now, publicState).changes).toMatchObject([
      { op: 'rechunk', id: 'a-a-en', changed: [] },
    ]);
  });

  it.each([
    [['updated_at'], 'touch'],
    [['updated_at', 'alternates', 'translation'], 'touch'],
    [['tags', 'updated_at'], 'upsert'],
    [['description'], 'upsert'],
  ] as const)('says of a change of %j: %s', (changed, op) => {
    const now = {
      ...stateOf('a', 'en', '0'),
      metaHash: 'c'.repeat(64),
      marks: marksOf(Object.fromEntries(changed.map((field) => [field, 'new']))),
    };
    const [change] = compareDocuments(byId([stateOf('a', 'en', '0')]), [now], publicState).changes;
    expect(change).toMatchObject({ op, changed });
  });

  it('finds the differences of two lists', { tags: 'property' }, () => {
    const documents = fc.dictionary(
      fc.constantFrom('a', 'b', 'B', 'c', 'd', 'e', 'f'),
      fc.dictionary(fc.constantFrom('de', 'en'), fc.constantFrom('0', '1')),
    );
    fc.assert(
      fc.property(documents, documents, (old, now) => {
        const listed = (from: Record<string, Record<string, string>>) =>
          Object.keys(from)
            .sort()
            .flatMap((id) => Object.entries(from[id] ?? {}).map(([tag, hash]) => stateOf(id, tag, hash)));
        const [before, after] = [listed(old), listed(now)];
        const { changes, removed } = compareDocuments(byId(before), after, publicState);
        const gone = before.filter(({ id }) => !after.some((document) => document.id === id));
        const upserts = after.filter(
          ({ id, hash }) => before.find((known) => known.id === id)?.hash !== hash,
        );
        const expected = [
          ...upserts.map(({ id }) => ['upsert', id]),
          ...gone.map(({ id }) => ['delete', id]),
        ].sort(([, a = ''], [, b = '']) => (a < b ? -1 : 1));
        expect(changes.map(({ op, id }) => [op, id])).toEqual(expected);
        expect(removed.map(({ id }) => id)).toEqual(gone.map(({ id }) => id));
      }),
    );
  });
});
