import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedPlaces } from '../../src/feed/file-places.ts';
import type { ArticleRecord } from '../../src/standing/article-record.ts';
import { openArticleRecords } from '../../src/standing/article-records.ts';

let folder: string;
const file = () => join(folder, 'last-articles');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-standing-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const head = { inputs: 'program and configuration', shape: 'en, de', faces: 'titles and places' };
const places = (at: number): FeedPlaces => ({
  document: [at, 1],
  chunks: [at, 2],
  source: { json: [at, 3], text: [at, 4] },
  sourceOfAll: { json: [at, 5], text: [at, 6] },
  fullText: { part: 1, span: [at, 7] },
});
const record = (id: string, ...languages: readonly string[]): ArticleRecord => ({
  id,
  own: `bodies of ${id}`,
  key: `key of ${id}`,
  pages: languages.map((language, at) => ({ language, places: places(100 * at) })),
  facts: JSON.stringify([{ language: 'en', title: 'tab\tand 題' }]),
  resolutions: '[]',
});
const files = [
  { path: 'feed/en/documents.jsonl', sha256: 'a'.repeat(64), bytes: 10 },
  { path: 'en/search/index.json', sha256: 'b'.repeat(64), bytes: 20 },
];

const rest = { redirects: { files, problems: [] } };

/** One run that publishes articles, as far as their records go. */
function leave(articles: readonly ArticleRecord[]): void {
  const records = openArticleRecords(folder);
  const { next } = records.begin(head, null);
  for (const article of articles) next.add(article);
  next.finish(files, rest);
  records.commit();
  records.close();
}

/** What the next run finds under some ids; `null`: the records are not believed. */
function find(ids: readonly string[], options: { now?: Partial<typeof head>; missing?: string } = {}) {
  const records = openArticleRecords(folder);
  const hasPrevious = ({ path, sha256, bytes }: (typeof files)[number]) =>
    path !== options.missing && files.some((one) => one.sha256 === sha256 && one.bytes === bytes);
  const { last } = records.begin({ ...head, ...options.now }, hasPrevious);
  try {
    return last === null
      ? null
      : { faces: last.hasSameFaces, rest: last.rest, found: ids.map((id) => last.find(id)) };
  } finally {
    records.close();
  }
}

describe('the records of the last run', () => {
  it('give back what was left, with the place of each article among those of its language', () => {
    leave([record('a', 'en', 'de'), record('b', 'en'), record('c', 'en', 'de')]);
    const { faces, found, rest: left } = find(['a', 'c']) ?? {};
    expect(faces).toBe(true);
    expect(left).toEqual(rest);
    expect(found?.map((one) => one?.record)).toEqual([record('a', 'en', 'de'), record('c', 'en', 'de')]);
    expect(found?.map((one) => [...(one?.positions ?? [])])).toEqual([
      [
        ['en', 0],
        ['de', 0],
      ],
      [
        ['en', 2],
        ['de', 1],
      ],
    ]);
  });

  it('know nothing of articles that are new, before, between or behind the others', () => {
    leave([record('b', 'en'), record('d', 'en')]);
    const found = find(['a', 'b', 'c', 'd', 'e'])?.found.map((one) => one?.record.id ?? null);
    expect(found).toEqual([null, 'b', null, 'd', null]);
  });

  it('count an article that cannot be repeated, and do not give it', () => {
    const cut = { ...record('a', 'en'), pages: [{ language: 'en', places: null }] };
    leave([cut, record('b', 'en')]);
    const found = find(['a', 'b'])?.found;
    expect(found?.[0]).toBeNull();
    expect(found?.[1]?.positions.get('en')).toBe(1);
  });

  it('hold thousands of articles, in more than one block', () => {
    const articles = Array.from({ length: 3000 }, (_none, at) => record(String(10_000 + at), 'en', 'ja'));
    leave(articles);
    expect(find(articles.map(({ id }) => id))?.found.map((one) => one?.record)).toEqual(articles);
  });

  it('tell when articles say something else of each other', () => {
    leave([record('a', 'en')]);
    expect(find(['a'], { now: { faces: 'other titles' } })?.faces).toBe(false);
  });

  it.each<[string, () => void]>([
    ['gone', () => rmSync(file())],
    ['empty', () => writeFileSync(file(), '')],
    ['cut', () => writeFileSync(file(), readFileSync(file()).subarray(0, -1))],
    [
      'cut at a line',
      () => writeFileSync(file(), readFileSync(file(), 'utf8').split('\n').slice(0, 2).join('\n')),
    ],
    ['grown', () => appendFileSync(file(), 'x')],
    [
      'altered',
      () => writeFileSync(file(), readFileSync(file(), 'utf8').replace('bodies of a', 'bodies of b')),
    ],
  ])('are not believed when they are %s', (_what, damage) => {
    leave([record('a', 'en')]);
    expect(find(['a'])).not.toBeNull();
    damage();
    expect(find(['a'])).toBeNull();
  });

  it('are not believed when they are of another program, configuration or shape of the feed', () => {
    leave([record('a', 'en')]);
    expect(find(['a'], { now: { inputs: 'other' } })).toBeNull();
    expect(find(['a'], { now: { shape: 'en' } })).toBeNull();
  });

  it.each(files.map(({ path }) => path))('are not believed when %s is not as it was left', (path) => {
    leave([record('a', 'en')]);
    expect(find(['a'], { missing: path })).toBeNull();
  });

  it('stay those of the last run when this one fails', () => {
    leave([record('a', 'en')]);
    const records = openArticleRecords(folder);
    records.begin(head, null).next.add(record('z', 'en'));
    records.close();
    expect(find(['a'])?.found[0]?.record.id).toBe('a');
  });

  it('are forgotten on demand', () => {
    leave([record('a', 'en')]);
    openArticleRecords(folder).forget();
    expect(find(['a'])).toBeNull();
  });

  it('cost nothing but time where they cannot be written', () => {
    rmSync(folder, { recursive: true });
    leave([record('a', 'en')]);
    expect(find(['a'])).toBeNull();
    writeFileSync(folder, 'a file where a folder should be');
    leave([record('a', 'en')]);
    openArticleRecords(folder).forget();
    expect(find(['a'])).toBeNull();
    rmSync(folder);
    folder = mkdtempSync(join(tmpdir(), 'lectern-standing-'));
  });
});
