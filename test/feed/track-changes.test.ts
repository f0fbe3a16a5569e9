import { describe, expect, it } from 'vitest';
import type { DocumentState } from '../../src/feed/history/document-state.ts';
import { compareDocuments } from '../../src/feed/history/track-changes.ts';
import { fc } from '../support/properties.ts';

const stateOf = (articleId: string, language: string, hash: string): DocumentState => ({
  id: `a-${articleId}-${language}`,
  articleId,
  language,
  hash,
  url: `https://help.example.com/${language}/article/${articleId}/`,
  metaHash: 'b'.repeat(64),
  marks: 'x y z',
  translation: { source_language: 'en', outdated: false },
});

const publicState = { articles: new Map(), excluded: new Map(), languages: null };
const byId = (states: readonly DocumentState[]) => new Map(states.map((state) => [state.id, state]));

describe('comparing the documents of a partition', () => {
  it('finds an upsert for new content, a move for another address, and nothing for the same', () => {
    const before = ['a', 'b', 'c', 'd'].map((id) => stateOf(id, 'en', '0'));
    const now = [
      stateOf('a', 'en', '1'),
      { ...stateOf('b', 'en', '0'), url: 'https://help.example.com/b/', metaHash: 'c'.repeat(64) },
      stateOf('c', 'en', '0'),
      stateOf('e', 'en', '0'),
    ];
    const { changes, removed } = compareDocuments(byId(before), now, publicState, false);
    expect(changes.map(({ op, id }) => [op, id])).toEqual([
      ['upsert', 'a-a-en'],
      ['move', 'a-b-en'],
      ['delete', 'a-d-en'],
      ['upsert', 'a-e-en'],
    ]);
    expect(removed).toMatchObject([{ id: 'a-d-en', last_hash: '0', reason: 'deleted' }]);
  });

  it('announces a rechunk where the content is the same and another chunker made the chunks', () => {
    const same = [stateOf('a', 'en', '0')];
    expect(compareDocuments(byId(same), same, publicState, true).changes).toMatchObject([{ op: 'rechunk' }]);
  });

  it('finds what two whole lists differ by', { tags: 'property' }, () => {
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
        const { changes, removed } = compareDocuments(byId(before), after, publicState, false);
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
