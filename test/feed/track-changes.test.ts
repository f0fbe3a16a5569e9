import { describe, expect, it } from 'vitest';
import { compareDocuments, type DocumentState } from '../../src/feed/history/track-changes.ts';
import { fc } from '../support/properties.ts';

const stateOf = (articleId: string, language: string, hash: string): DocumentState => ({
  id: `a-${articleId}-${language}`,
  articleId,
  language,
  hash,
  url: `https://help.example.com/${language}/article/${articleId}/`,
  version: {},
});

const publicState = { articles: new Map(), excluded: new Map(), languages: null };
const byId = (states: readonly DocumentState[]) => new Map(states.map((state) => [state.id, state]));

describe('comparing the documents of two builds', () => {
  it('finds an upsert for another hash, a delete for what is gone, and nothing for the same', () => {
    const before = ['a', 'b', 'd'].map((id) => stateOf(id, 'en', '0'));
    const now = [stateOf('a', 'en', '1'), stateOf('b', 'en', '0'), stateOf('e', 'en', '0')];
    const { upserted, removed } = compareDocuments(byId(before), now, publicState);
    expect(upserted.map(({ id }) => id)).toEqual(['a-a-en', 'a-e-en']);
    const url = 'https://help.example.com/en/article/d/';
    expect(removed).toEqual([{ id: 'a-d-en', reason: 'deleted', url, was: '0' }]);
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
        const { upserted, removed } = compareDocuments(byId(before), after, publicState);
        const gone = before.filter(({ id }) => !after.some((document) => document.id === id));
        const upserts = after.filter(
          ({ id, hash }) => before.find((known) => known.id === id)?.hash !== hash,
        );
        const ids = (states: readonly { readonly id: string }[]) => states.map(({ id }) => id).sort();
        expect(upserted.map(({ id }) => id)).toEqual(ids(upserts));
        expect(removed.map(({ id }) => id)).toEqual(ids(gone));
      }),
    );
  });
});
