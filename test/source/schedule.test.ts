import { expect, onTestFinished, test, vi } from 'vitest';
import { applySchedule } from '../../src/source/normalise/schedule.ts';
import { openSnapshot } from '../../src/source/snapshot/open-snapshot.ts';
import { checkSnapshot } from '../../src/source/snapshot/snapshot-file.ts';
import type { Source } from '../../src/source/source.ts';
import { startFetching } from './support/fetching.ts';
import { articleRecord, articleRecords } from './support/records.ts';

const hourMs = 3_600_000;
const startMs = Date.now();
const inHours = (hours: number) => new Date(startMs + hours * hourMs).toISOString();

function setHours(hours: number): void {
  if (!vi.isFakeTimers()) {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
  }
  vi.setSystemTime(startMs + hours * hourMs);
}

/** Ids and languages. */
function published({ knowledgeBase }: Source): readonly string[] {
  return knowledgeBase.articles
    .filter(({ id }) => !id.startsWith('a0000'))
    .map(({ id, translations }) => `${id} ${translations.map(({ language }) => language).join(' ')}`);
}

const german = { language_code: 'de', title: 'Titel', body: '<p>Text</p>' };
const scheduled = [
  articleRecord('coming0000', { publish_at: inHours(1), multilingual: [] }),
  articleRecord('going00000', { unpublish_at: inHours(1), multilingual: [] }),
  articleRecord('german0000', { multilingual: [{ ...german, publish_at: inHours(1) }] }),
  articleRecord('deutsch000', { multilingual: [{ ...german, unpublish_at: inHours(1) }] }),
];
const before = ['deutsch000 en de', 'german0000 en', 'going00000 en'];
const after = ['coming0000 en', 'deutsch000 en', 'german0000 en de'];

test.each([
  ['of which only changes are read', { fullReadBytes: 0 }, {}, 'incremental'],
  ['whose server says that nothing changed', {}, { hasEtag: true }, 'full'],
  ['that is read as a whole', {}, {}, 'full'],
] as const)(
  'the same list an hour later, %s, shows and hides what is due',
  async (_, network, quirks, mode) => {
    setHours(0);
    const others = articleRecords(10);
    const { fetch } = await startFetching({ articles: [...others, ...scheduled] }, quirks, { network });
    expect(published(await fetch())).toEqual(before);
    setHours(0.5);
    expect(published(await fetch())).toEqual(before);
    setHours(1);
    const later = await fetch();
    expect(published(later)).toEqual(after);
    expect(later.stats.mode).toBe(mode);
    expect(later.knowledgeBase.excluded.get('going00000')).toBe('draft');
  },
);

test('the last snapshot without the network leaves out what has stopped being public, and is no longer up to date', async () => {
  setHours(0);
  const { fetch, settings } = await startFetching({ articles: scheduled });
  const { unpublishAtOf } = await fetch();
  expect([unpublishAtOf('going00000'), unpublishAtOf('deutsch000'), unpublishAtOf('german0000')]).toEqual([
    { en: inHours(1) },
    { de: inHours(1) },
    {},
  ]);
  const open = async () => {
    const source = await openSnapshot({ ...settings, identity: null });
    onTestFinished(() => source.close());
    return source;
  };
  const first = await open();
  expect([published(first), first.snapshot]).toEqual([
    before,
    (await checkSnapshot(settings.cache))?.contentHash,
  ]);
  expect(await checkSnapshot(settings.cache)).not.toBeNull();
  setHours(1);
  const later = await open();
  expect(published(later)).toEqual(['deutsch000 en', 'german0000 en']);
  expect(later.knowledgeBase.excluded.get('going00000')).toBe('draft');
  expect(later.snapshot).not.toBe(first.snapshot);
  expect(await checkSnapshot(settings.cache)).toBeNull();
});

test.each([
  ['tomorrow', null],
  ['2020-01-01T00:00:00', null],
  ['2020-01-01', null],
  [1_577_836_800, null],
  [null, '2999-02-30T00:00:00Z'],
  [null, false],
  ['2999-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
])('an article from %s until %s is excluded and reported', async (publish_at, unpublish_at) => {
  const times = { publish_at, unpublish_at };
  const { fetch } = await startFetching({
    articles: [
      articleRecord('bad0000000', times),
      articleRecord('good000000', { multilingual: [{ ...german, ...times }] }),
    ],
  });
  const source = await fetch();
  expect(published(source)).toEqual(['good000000 en']);
  expect(source.knowledgeBase.excluded.get('bad0000000')).toBe('visibility-unknown');
  expect(source.problems.map(({ code, message }) => [code, message])).toEqual([
    ['VISIBILITY_UNKNOWN', 'publish_at and unpublish_at cannot be read'],
    ['VISIBILITY_UNKNOWN', 'publish_at and unpublish_at of de cannot be read'],
  ]);
});

test.each(['2030-01-01T00:00:00Z', '2030-01-01T02:00:00+02:00', '2029-12-31 22:30:00-0130'])(
  'the time %s begins and ends at its millisecond',
  (time) => {
    const atMs = Date.parse('2030-01-01T00:00:00Z');
    const isPublished = (fields: object, nowMs: number) =>
      applySchedule({ is_published: true, ...fields }, nowMs).record.is_published;
    expect([atMs - 1, atMs].map((nowMs) => isPublished({ publish_at: time }, nowMs))).toEqual([false, true]);
    expect([atMs - 1, atMs].map((nowMs) => isPublished({ unpublish_at: time }, nowMs))).toEqual([
      true,
      false,
    ]);
    expect(isPublished({ is_published: false, publish_at: time }, atMs)).toBe(false);
  },
);

test.each([undefined, null, 7, '', ['de'], { toString: 1 }])(
  'the language code %j of a translation changes nothing of the record',
  (code) => {
    const translation = { language_code: code, title: 'T', body: 'B', unpublish_at: inHours(2) };
    const record = { is_published: true, unpublish_at: inHours(1), multilingual: [translation] };
    const { unpublishAt } = applySchedule(record, startMs);
    expect(unpublishAt['']).toBe(inHours(1));
  },
);
