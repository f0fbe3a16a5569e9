import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { fingerprintBlocks } from '../../src/core/block-fingerprints.ts';
import { chunkDocument } from '../../src/feed/chunks/chunk-document.ts';
import { feedLimits } from '../../src/feed/feed-limits.ts';
import { loadTokenCounter } from '../../src/feed/tokens/count-tokens.ts';
import { settings as contentSettings } from '../content/settings.ts';

const countTokens = await loadTokenCounter();
const { chunks: settings } = feedLimits;

/** Chunks of a body, with their Markdown. @param shared bodies whose call-outs many articles have */
function chunksOf(html: string, shared: readonly string[] = []) {
  const document = transform(html, contentSettings());
  const prints = new Set(shared.flatMap(fingerprintBlocks));
  const page = { url: 'https://help.example.com/en/article/a/', shared: prints };
  const { chunks } = chunkDocument(document, settings, countTokens, page);
  return chunks.map((cut) => ({ ...cut, markdown: document.markdown.slice(cut.start, cut.end) }));
}

const sentence = 'The locker opens when the code on the screen is the code of the parcel.';
const prose = (times: number) => `<p>${`${sentence} `.repeat(times)}</p>`;
const many = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join('');
/** The lead of every chunk but the first. */
const leads = (html: string) => [
  ...new Set(
    chunksOf(html)
      .slice(1)
      .map(({ lead }) => lead),
  ),
];

describe('a chunk that continues a cut block', () => {
  const steps = `<ol>${many(60, (at) => `<li>Step ${at}: ${sentence}</li>`)}</ol>`;
  const code = `<pre><code class="language-sh">${many(300, (at) => `echo "line ${at}"\n`)}</code></pre>`;
  const rows = (from: number) => many(120, (at) => `<tr><td>row ${from + at}</td><td>${sentence}</td></tr>`);

  it('repeats the sentence that introduces a list', () => {
    expect(leads(`<p>Open the door as follows:</p>${steps}`)).toEqual(['Open the door as follows:']);
    expect(leads(`<p>These are the steps.</p>${steps}`)).toEqual(['These are the steps.']);
    expect(leads(steps)).toEqual(['']);
    expect(leads(`<h2>Steps</h2>${steps}`)).toEqual(['']);
  });

  it('repeats the last sentence alone of a long paragraph', () => {
    const chunks = chunksOf(`<p>${`${sentence} `.repeat(5)}Then do this:</p>${steps}`);
    expect(chunks.at(-1)?.lead).toBe('Then do this:');
  });

  it('repeats the sentence and the fence of code', () => {
    expect(leads(`<p>Run this:</p>${code}`)).toEqual(['Run this:\n\n```sh']);
    expect(leads(code)).toEqual(['```sh']);
  });

  it('repeats the title and the header of a table, or the first row if the header is empty', () => {
    const header = '<tr><th>Row</th><th>Text</th></tr>';
    expect(leads(`<p>Prices in euro</p><table>${header}${rows(0)}</table>`)).toEqual([
      'Prices in euro\n\n| Row | Text |\n| --- | --- |',
    ]);
    expect(leads(`<table>${rows(0)}</table>`)).toEqual([`|  |  |\n| --- | --- |\n| row 0 | ${sentence} |`]);
  });

  it('repeats a paragraph that it was parted from', () => {
    const [first, second] = chunksOf(`<p>${`${sentence} `.repeat(36)}Note the order:</p>${steps}`);
    expect(first?.markdown).toMatch(/Note the order:$/);
    expect(second).toMatchObject({ type: 'steps', lead: 'Note the order:' });
  });
});

describe('a label before a heading', () => {
  it('begins the section of the heading', () => {
    const body = `${prose(20)}<p><strong>For residents</strong></p><h2>Collect a parcel</h2>${prose(20)}`;
    expect(chunksOf(body)).toMatchObject([
      { headingPath: [], anchor: null },
      { headingPath: ['Collect a parcel'], anchor: 'collect-a-parcel' },
    ]);
    expect(chunksOf(body)[1]?.markdown).toMatch(/^\*\*For residents\*\*\n\n## Collect a parcel\n/);
  });

  it('stays below its own heading if that has nothing else', () => {
    const body = `${prose(20)}<h2>Soon</h2><p><strong>To come</strong></p><h2>Collect</h2>${prose(20)}`;
    const chunks = chunksOf(body);
    expect(chunks.at(-1)).toMatchObject({ headingPath: ['Collect'] });
    expect(chunks.at(-1)?.markdown).toMatch(/^## Collect\n/);
  });
});

describe('what is set apart', () => {
  const toc = '<ul><li><a href="#one">One</a><ul><li><a href="#two">Two</a></li></ul></li></ul>';
  const sections = `<h2 id="one">One</h2>${prose(20)}<h2 id="two">Two</h2>${prose(20)}`;
  const callout = `<div class="alert alert-info"><p>This article is about <b>Pebblepost</b> &amp; its lockers.</p></div>`;

  it('is a table of contents, with the line that introduces it', () => {
    const chunks = chunksOf(`${prose(2)}<p>On this page:</p>${toc}${sections}`);
    expect(chunks.map(({ type }) => type)).toEqual(['text', 'toc', 'text', 'text']);
    expect(chunks[1]?.markdown).toBe('On this page:\n\n- [One](#one)\n  - [Two](#two)');
  });

  it('is a table of contents that gives the full URL of its page', () => {
    const full = toc.replaceAll('"#', '"https://help.example.com/en/article/a/#');
    expect(chunksOf(`${full}${sections}`)[0]?.type).toBe('toc');
    expect(chunksOf(`${full.replaceAll('/a/#', '/b/#')}${sections}`)[0]?.type).not.toBe('toc');
  });

  it('is a table of contents with names of groups, line breaks in its links, and full stops', () => {
    const item = (name: string, end = '') => `<li><a href="#one">${name}<br>and more</a>${end}</li>`;
    const group = (name: string, items: string) => `<li><strong>${name}:</strong><ul>${items}</ul></li>`;
    const grouped = `<ul>${group('First', item('A') + item('B', '.'))}${item('C')}</ul>`;
    expect(chunksOf(`${grouped}${sections}`).map(({ type }) => type)).toEqual(['toc', 'text', 'text']);
    const bare = `<ul>${item('A')}<li><strong>Turn it off first</strong></li></ul>`;
    expect(chunksOf(`${bare}${sections}`)[0]?.type).not.toBe('toc');
  });

  it('is no list that says more than the headings do', () => {
    const list = '<ul><li><a href="#one">One</a>: how to begin</li><li><a href="#two">Two</a></li></ul>';
    expect(chunksOf(`${list}${sections}`).map(({ type }) => type)).not.toContain('toc');
    const links = '<ul><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul>';
    expect(chunksOf(links).map(({ type }) => type)).toEqual(['list']);
  });

  const related = (items: string) => `<h2>Related articles</h2><ul>${items}</ul>`;
  const link = (name: string, to = '/en/article/') => `<li><a href="${to}${name}/">Open a ${name}</a></li>`;

  it('is a list of links to other pages', () => {
    const chunks = chunksOf(`${sections}${related(link('door') + link('box'))}`);
    expect(chunks.map(({ type }) => type)).toEqual(['text', 'text', 'links']);
    expect(chunks[2]?.headingPath).toEqual(['Related articles']);
    const full = related(link('door', 'https://help.example.com/en/article/'));
    expect(chunksOf(`${full}${sections}`)[0]?.type).toBe('links');
  });

  it('is a list of links even if some of them led to pages that are not published', () => {
    const lost = '<li>How do I open a box?</li>';
    expect(chunksOf(`${sections}${related(link('a') + link('b') + lost)}`).at(-1)?.type).toBe('links');
    expect(chunksOf(`${sections}${related(link('a') + lost)}`).at(-1)?.type).toBe('links');
    expect(chunksOf(`${sections}${related(link('a') + lost + lost)}`).at(-1)?.type).not.toBe('links');
  });

  it.each([
    ['says what the pages are about', `<li><a href="/a/">A</a>: how to begin</li>${link('b')}`],
    ['leads to other sites', link('door', 'https://other.example.org/')],
    ['holds a sentence', `${link('a')}${link('b')}<li>Push the door. It opens.</li>`],
  ])('is no list that %s', (_name, items) => {
    expect(chunksOf(`${sections}${related(items)}`).map(({ type }) => type)).not.toContain('links');
  });

  it('is no list of links after a line that says what to do', () => {
    const intro = (text: string) =>
      chunksOf(`${sections}<p>${text}</p><ul>${link('a')}${link('b')}</ul>`).at(-1);
    expect(intro('Related articles:')?.type).toBe('links');
    expect(intro('The door can be opened by hand or with a key:')?.type).not.toBe('links');
  });

  it('is no list of links that the article is about', () => {
    expect(chunksOf(related(link('door') + link('box'))).map(({ type }) => type)).toEqual(['list']);
  });

  it('is a call-out that many articles have, and no other', () => {
    const body = `${callout}${prose(3)}${sections}`;
    expect(chunksOf(body, [`<p>x</p>${callout}`]).map(({ type }) => type)).toEqual([
      'boilerplate',
      'text',
      'text',
    ]);
    expect(chunksOf(body).map(({ type }) => type)).not.toContain('boilerplate');
    expect(chunksOf(body, [callout.replace('lockers', 'doors')])[0]?.type).not.toBe('boilerplate');
  });
});
