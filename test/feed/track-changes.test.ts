import { describe, expect, it } from 'vitest';
import { type DocumentState, readStates, stateLine } from '../../src/feed/document-state.ts';
import { PreviousStates } from '../../src/feed/previous-states.ts';
import type { PreviousFeed } from '../../src/feed/read-previous-feed.ts';
import { createChangeTracker } from '../../src/feed/track-changes.ts';
import { RecordLog } from '../../src/output/record-log.ts';
import { fc } from '../support/properties.ts';

const state: DocumentState = {
  id: 'a-aaaaaaaaa1-de',
  articleId: 'aaaaaaaaa1',
  language: 'de',
  url: 'https://help.example.com/de/article/aaaaaaaaa1/',
  hash: 'a'.repeat(64),
  metaHash: 'b'.repeat(64),
  marks: 'x y z',
  translation: { source_language: 'en', outdated: false, body_hash: 'c', source_body_hash: 'd' },
  tokens: 7,
  chunks: 2,
  opening: null,
};

const stateOf = (articleId: string, language: string, hash: string): DocumentState => ({
  ...state,
  id: `a-${articleId}-${language}`,
  articleId,
  language,
  hash,
});

function previousOf(states: readonly DocumentState[]): PreviousFeed {
  const log = new RecordLog(null);
  for (const document of states) log.append(stateLine(document));
  const manifest = { run: { seq: 4 } } as PreviousFeed['manifest'];
  return { manifest, documents: new PreviousStates([readStates(log)]), tombstones: [] };
}

const publicState = { articles: new Map(), excluded: new Map(), languages: null };
const text = (pieces: Iterable<Uint8Array>) => Buffer.concat([...pieces]).toString();

describe('a change tracker', () => {
  it.each<Partial<DocumentState>>([
    {},
    { url: 'https://help.example.com/de/article/aaaaaaaaa1-neu/' },
    { hash: 'e'.repeat(64) },
    { marks: 'x y w' },
    { translation: { ...state.translation, outdated: true } },
    { tokens: 8, chunks: 3, opening: 'Wörter' },
  ])('remembers a document as it is now, whatever differs: %o', (change) => {
    const tracker = createChangeTracker(previousOf([state]), publicState, false, null);
    const now = { ...state, ...change };
    tracker.note(now);
    expect([...readStates(tracker.finish().documents)]).toEqual([now]);
  });

  it('finds what two whole lists differ by, in step with both', { tags: 'property' }, () => {
    const documents = fc.dictionary(
      fc.constantFrom('a', 'b', 'B', 'c', 'd', 'e', 'f'),
      fc.dictionary(fc.constantFrom('de', 'en'), fc.constantFrom('0', '1')),
    );
    fc.assert(
      fc.property(documents, documents, fc.nat(3), (old, now, ahead) => {
        const listed = (from: Record<string, Record<string, string>>) =>
          Object.keys(from)
            .sort()
            .flatMap((id) => Object.entries(from[id] ?? {}).map(([tag, hash]) => stateOf(id, tag, hash)));
        const [before, after] = [listed(old), listed(now)];
        const previous = previousOf(before);
        const tracker = createChangeTracker(previous, publicState, false, null);
        for (const [at, document] of after.entries()) {
          const head = after[at + ahead];
          const known = before.find(({ id }) => id === head?.id);
          if (head) expect(previous.documents.find(head.articleId, head.language)).toEqual(known);
          tracker.note(document);
        }
        const run = tracker.finish();
        const gone = before.filter(({ id }) => !after.some((document) => document.id === id));
        const upserts = after.filter(({ id, hash }) => before.find((old) => old.id === id)?.hash !== hash);
        expect(run.removed.map(({ id }) => id)).toEqual(gone.map(({ id }) => id));
        const expected = [
          ...upserts.map(({ id }) => ['upsert', id]),
          ...gone.map(({ id }) => ['delete', id]),
        ].sort(([, a = ''], [, b = '']) => (a < b ? -1 : 1));
        const changes = text(run.changes.lines()).split('\n').filter(Boolean);
        expect(changes.map((line) => JSON.parse(line)).map(({ op, id }) => [op, id])).toEqual(expected);
        expect(run.changes.count).toBe(expected.length);
      }),
    );
  });

  it('does not answer for an article it has left behind', () => {
    const previous = previousOf([stateOf('a', 'en', '0'), stateOf('b', 'en', '0')]);
    const tracker = createChangeTracker(previous, publicState, false, null);
    tracker.note(stateOf('b', 'en', '0'));
    expect(() => previous.documents.find('a', 'en')).toThrow('done');
  });
});
