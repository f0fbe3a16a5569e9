import { expect, test } from 'vitest';
import type { DocumentState } from '../../src/feed/document-state.ts';
import type { PreviousFeed } from '../../src/feed/read-previous-feed.ts';
import { createChangeTracker } from '../../src/feed/track-changes.ts';

const state: DocumentState = {
  articleId: 'aaaaaaaaa1',
  language: 'de',
  url: 'https://help.example.com/de/article/aaaaaaaaa1/',
  hash: 'a'.repeat(64),
  metaHash: 'b'.repeat(64),
  marks: 'x y z',
  translation: { source_language: 'en', outdated: false, body_hash: 'c', source_body_hash: 'd' },
};

function track(now: DocumentState) {
  const previous = { documents: new Map([['a-aaaaaaaaa1-de', state]]) } as unknown as PreviousFeed;
  const tracker = createChangeTracker(previous, { articles: new Map(), excluded: new Map() }, false);
  tracker.note('a-aaaaaaaaa1-de', now);
  return tracker.finish();
}

test('A document that is as it was is kept in memory once', () => {
  const { changes, documents } = track(structuredClone(state));
  expect(changes).toEqual([]);
  expect(documents.get('a-aaaaaaaaa1-de')).toBe(state);
});

test.each<Partial<DocumentState>>([
  { url: 'https://help.example.com/de/article/aaaaaaaaa1-neu/' },
  { hash: 'e'.repeat(64) },
  { metaHash: 'e'.repeat(64) },
  { marks: 'x y w' },
  { translation: { ...state.translation, outdated: true } },
  { translation: { ...state.translation, source_language: 'ja' } },
  { translation: { ...state.translation, body_hash: 'e' } },
  { translation: { ...state.translation, source_body_hash: 'e' } },
])('A document that differs in anything is remembered as it is now: %o', (change) => {
  const now = { ...state, ...change };
  expect(track(now).documents.get('a-aaaaaaaaa1-de')).toBe(now);
});
