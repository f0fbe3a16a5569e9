import { expect, it } from 'vitest';
import type { Manifest } from '../../src/feed/read/manifest.ts';
import { buildSample } from './support/build-sample.ts';
import type { MemoryOutput } from './support/memory-output.ts';
import type { SampleArticle, SampleSite } from './support/sample-plan.ts';

const day = (date: number) => `2026-03-0${date}T10:00:00.000Z`;
const article = (letter: string, title: string, date = 1, markdown = 'Text.\n'): SampleArticle => ({
  id: letter.repeat(10),
  updatedAt: day(date),
  pages: { en: { title, markdown } },
});
const others = ['s', 't', 'u', 'v', 'w', 'x', 'y', 'z'].map((letter) => article(letter, `Title ${letter}`));
const site = (...articles: readonly SampleArticle[]): SampleSite => ({
  languages: ['en'],
  articles: [...articles, ...others],
});

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly term: string;
  readonly link: string | undefined;
}

/** Reads an Atom feed, and checks the elements that RFC 4287 requires, each once and in this form. */
function parseAtom(output: MemoryOutput): { readonly updated: string; readonly entries: readonly Entry[] } {
  const text = output.text('feed/changes.atom');
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
  const one = (xml: string, name: string): string => {
    const found = [...xml.matchAll(new RegExp(`<${name}>([^<]+)</${name}>`, 'g'))];
    expect(found).toHaveLength(1);
    return found[0]?.[1] ?? '';
  };
  expect(
    text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'),
  ).toBe(true);
  expect(text.endsWith('</entry>\n</feed>\n')).toBe(true);
  expect(text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
  const open: string[] = [];
  for (const [, end, name = '', alone] of text.matchAll(/<(\/?)([a-z]+)(?:\s[a-z]+="[^"<]*")*(\/?)>/g)) {
    if (end === '/') expect(open.pop()).toBe(name);
    else if (alone !== '/') open.push(name);
  }
  expect(open).toEqual([]);
  const [head = '', ...rest] = text.split('<entry>\n');
  const updated = one(head, 'updated');
  expect(one(head, 'id')).toBe('https://help.example.com/feed/changes.atom');
  expect(head).toContain(
    '<link rel="self" type="application/atom+xml" href="https://help.example.com/feed/changes.atom"/>',
  );
  expect([updated, one(head, 'title'), one(head, 'name')]).toEqual([
    expect.stringMatching(time),
    'Example help',
    'Example help',
  ]);
  const entries = rest.map((xml) => {
    const entry = { id: one(xml, 'id'), title: one(xml, 'title'), updated: one(xml, 'updated') };
    expect(entry.updated).toMatch(time);
    const link = /<link rel="alternate"[^>]* href="([^"]+)"\/>/.exec(xml)?.[1];
    // Without an alternate link, an entry must have a content.
    if (link === undefined) expect(one(xml.replace(' type="text"', ''), 'content')).not.toBe('');
    return { ...entry, link, term: /<category term="([^"]+)"\/>/.exec(xml)?.[1] ?? '' };
  });
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  return { updated, entries };
}

const titles = (output: MemoryOutput) =>
  parseAtom(output).entries.map(({ term, title }) => `${term} ${title}`);

it('says for the first run to read everything', async () => {
  const { entries } = parseAtom(await buildSample(site()));
  expect(entries).toMatchObject([
    { term: 'all', link: 'https://help.example.com/feed/manifest.json', updated: day(1) },
  ]);
});

it('lists upserted and deleted documents of the last runs, the newest first', async () => {
  const first = await buildSample(site(article('a', 'Old <b> & "c"'), article('b', 'Gone')));
  const second = await buildSample(site(article('a', 'New <b> & "c"', 2), article('b', 'Gone')), {
    previous: first,
  });
  const third = await buildSample(site(article('a', 'New <b> & "c"', 2)), { previous: second });
  expect(titles(third)).toEqual([
    'delete Removed: a-bbbbbbbbbb-en',
    'upsert New &lt;b&gt; &amp; &quot;c&quot;',
    'all Example help: read all documents',
  ]);
  const { updated, entries } = parseAtom(third);
  expect([updated, ...entries.map((entry) => entry.updated)]).toEqual([day(2), day(2), day(2), day(1)]);
  expect(entries[1]?.link).toBe('https://help.example.com/en/article/aaaaaaaaaa-page/');
  // Entries keep their ids.
  expect(entries.slice(1)).toEqual(parseAtom(second).entries);
});

it('drops an entry when its document changes again, so that no withdrawn title stays', async () => {
  const first = await buildSample(site(article('a', 'One')));
  const second = await buildSample(site(article('a', 'A secret', 2)), { previous: first });
  const third = await buildSample(site(article('a', 'Two', 3)), { previous: second });
  expect(titles(third)).toEqual(['upsert Two', 'all Example help: read all documents']);
  const fourth = await buildSample(site(), { previous: third });
  expect(fourth.text('feed/changes.atom')).not.toContain('Two');
});

it('is the same after a run without changes, and is listed in the manifest', async () => {
  const first = await buildSample(site(article('a', 'One')), { builtAt: day(5) });
  const again = await buildSample(site(article('a', 'One')), { builtAt: day(6), previous: first });
  expect(again.text('feed/changes.atom')).toBe(first.text('feed/changes.atom'));
  const { files } = JSON.parse(again.text('feed/manifest.json')) as Manifest;
  expect(files.filter(({ kind }) => kind === 'atom').map(({ path }) => path)).toEqual(['feed/changes.atom']);
});

it('has at most 100 entries', async () => {
  const many = Array.from({ length: 400 }, (_, at) => at);
  const numbered = (edited: number) => ({
    languages: ['en'],
    articles: many.map((at) => ({
      ...article('a', `Title ${at}${at < edited ? ' edited' : ''}`),
      id: `article${at}`,
    })),
  });
  const first = await buildSample(numbered(0));
  const { entries } = parseAtom(await buildSample(numbered(120), { previous: first }));
  expect(entries).toHaveLength(100);
});
