import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { fingerprintBlocks } from '../../src/core/block-fingerprints.ts';
import { chunkDocument } from '../../src/feed/chunks/chunk-document.ts';
import { feedLimits } from '../../src/feed/feed-limits.ts';
import { loadTokenCounter } from '../../src/feed/tokens/count-tokens.ts';
import { settings as contentSettings } from '../content/settings.ts';

const countTokens = await loadTokenCounter();
const { chunks: settings } = feedLimits;

/** Chunks of a body, with their Markdown. @param boilerplate bodies whose call-outs most articles have */
function chunksOf(html: string, boilerplate: readonly string[] = []) {
  const document = transform(html, contentSettings());
  const prints = new Set(boilerplate.flatMap(fingerprintBlocks));
  const page = { url: 'https://help.example.com/en/article/a/', boilerplate: prints };
  const { chunks } = chunkDocument(document, settings, countTokens, page);
  const slice = (start: number, end: number) => document.markdown.slice(start, end);
  return chunks.map((cut) => ({
    ...cut,
    markdown: slice(cut.start, cut.end),
    lead: cut.repeats.map(([start, end]) => slice(start, end)).join(''),
  }));
}

const sentence = 'The locker opens when the code on the screen is the code of the parcel.';
const prose = (times: number) => `<p>${`${sentence} `.repeat(times)}</p>`;
const many = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join('');
/** What every chunk but the first repeats. */
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
    expect(leads(`<p>Open the door as follows:</p>${steps}`)).toEqual(['Open the door as follows:\n\n']);
    expect(leads(`<p>These are the steps.</p>${steps}`)).toEqual(['These are the steps.\n\n']);
    expect(leads(steps)).toEqual(['']);
    expect(leads(`<h2>Steps</h2>${steps}`)).toEqual(['']);
  });

  it('repeats the last sentence alone of a long paragraph', () => {
    const chunks = chunksOf(`<p>${`${sentence} `.repeat(5)}Then do this:</p>${steps}`);
    expect(chunks.at(-1)?.lead).toBe('Then do this:\n\n');
  });

  it('repeats the sentence and the fence of code', () => {
    expect(leads(`<p>Run this:</p>${code}`)).toEqual(['Run this:\n\n```sh\n']);
    expect(leads(code)).toEqual(['```sh\n']);
  });

  it('repeats the fence of code in an item or a callout, but not after it or before it', () => {
    const after = prose(90);
    const list = `<p>Do this:</p><ol><li>First. <pre><code>a\n- \`\`\`\nb</code></pre></li><li>Run this:${code}${after}</li></ol>`;
    const parts = chunksOf(list).map(({ lead, markdown }) => [lead, markdown] as const);
    const inCode = parts.filter(([, markdown]) => /^ *echo/.test(markdown));
    expect(inCode.length).toBeGreaterThan(4);
    expect(new Set(inCode.map(([lead]) => lead))).toEqual(new Set(['Do this:\n\n   ```sh\n']));
    const others = parts.slice(1).filter(([, markdown]) => !/^ *echo/.test(markdown));
    expect(others.length).toBeGreaterThan(1);
    expect(new Set(others.map(([lead]) => lead))).toEqual(new Set(['Do this:\n\n']));
    expect(leads(`<blockquote><p>Look:</p>${code}</blockquote>`)).toEqual(['> ```sh\n']);
  });

  it('repeats the title and the header of a table, which is the first row if it has no other', () => {
    const header = '<tr><th>Row</th><th>Text</th></tr>';
    expect(leads(`<p>Prices in euro</p><table>${header}${rows(0)}</table>`)).toEqual([
      'Prices in euro\n\n| Row | Text |\n| --- | --- |\n',
    ]);
    expect(leads(`<table>${rows(0)}</table>`)).toEqual([`| row 0 | ${sentence} |\n| --- | --- |\n`]);
  });

  it('repeats all header rows of a table', () => {
    const header = '<tr><th colspan="2">Doors</th></tr><tr><th>Row</th><th>Text</th></tr>';
    expect(leads(`<table>${header}${rows(0)}</table>`)).toEqual([
      '| Doors |  |\n| --- | --- |\n| Row | Text |\n',
    ]);
  });

  it('repeats the first cell of a row that is cut, with the bars of the cells between', () => {
    const header = '<tr><th>Row</th><th>Text</th><th>More</th></tr>';
    const cells = `<td>Door 7</td><td>${sentence}</td><td>${`${sentence} `.repeat(80)}</td>`;
    const [first, ...others] = leads(`<table>${header}<tr>${cells}</tr></table>`);
    expect(first).toBe('| Row | Text | More |\n| --- | --- | --- |\n| Door 7 | | ');
    expect(others).toEqual([]);
  });

  it('repeats nothing of a row after more cells than are repeated, and finds that in linear time', () => {
    const row = (count: number) => `<table><tr>${'<td>a</td>'.repeat(count)}</tr></table>`;
    expect(chunksOf(row(4000)).at(-1)?.lead).toBe('');
    const startMs = performance.now();
    chunksOf(row(60_000));
    // 0.6 s on a quiet machine; with all bars before each chunk, 51 s.
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });

  it('repeats a paragraph that it was parted from', () => {
    const [first, second] = chunksOf(`<p>${`${sentence} `.repeat(36)}Note the order:</p>${steps}`);
    expect(first?.markdown).toMatch(/Note the order:$/);
    expect(second).toMatchObject({ lead: 'Note the order:\n\n' });
  });
});

describe('a label before a heading', () => {
  it('begins the section of the heading', () => {
    const body = `${prose(20)}<p><strong>For residents</strong></p><h2>Collect a parcel</h2>${prose(20)}`;
    expect(chunksOf(body)).toMatchObject([
      { headingPath: [], anchor: null },
      // The heading is in the text, below the label.
      { headingPath: [], anchor: 'collect-a-parcel' },
    ]);
    expect(chunksOf(body)[1]?.markdown).toMatch(/^\*\*For residents\*\*\n\n## Collect a parcel\n/);
  });

  it('stays below its own heading if that has nothing else', () => {
    const body = `${prose(20)}<h2>Soon</h2><p><strong>To come</strong></p><h2>Collect</h2>${prose(20)}`;
    const chunks = chunksOf(body);
    expect(chunks.at(-1)).toMatchObject({ headingPath: ['Collect'] });
    expect(chunks.at(-1)?.markdown).toMatch(/^The locker/);
  });
});

/** The Markdown of a body that is in no chunk. */
function lostOf(html: string, boilerplate: readonly string[] = []): readonly string[] {
  const { markdown } = transform(html, contentSettings());
  const chunks = chunksOf(html, boilerplate);
  const ends = [0, ...chunks.map(({ end }) => end)];
  const starts = [...chunks.map(({ start }) => start), markdown.length];
  // Headings above a text are in the first line of its chunk.
  const isInPath = (line: string, at: number) =>
    /^#+ /.test(line) && chunks[at]?.headingPath.includes(line.replace(/^#+ /, '')) === true;
  return starts
    .map((start, at) => {
      const lines = markdown.slice(ends[at], start).split('\n');
      return lines
        .filter((line) => !isInPath(line, at))
        .join('\n')
        .trim();
    })
    .filter((gap) => gap !== '');
}

describe('what is in no chunk', () => {
  const toc = '<ul><li><a href="#one">One</a><ul><li><a href="#two">Two</a></li></ul></li></ul>';
  const tocLines = '- [One](#one)\n  - [Two](#two)';
  const sections = `<h2 id="one">One</h2>${prose(20)}<h2 id="two">Two</h2>${prose(20)}`;
  const callout = `<div class="alert alert-info"><p>This article is about <b>Pebblepost</b> &amp; its lockers.</p></div>`;

  it('is a table of contents, with the line that introduces it', () => {
    expect(lostOf(`${prose(2)}<p>On this page:</p>${toc}${sections}`)).toEqual([
      `On this page:\n\n${tocLines}`,
    ]);
  });

  it('is not a sentence before a table of contents or a list of links, which says more than that it follows', () => {
    const intro = 'There are small differences between the boards. In this article:';
    expect(lostOf(`<p>${intro}</p>${toc}${sections}`)).toEqual([tocLines]);
    expect(chunksOf(`<p>${intro}</p>${toc}${sections}`)[0]?.markdown).toBe(intro);
    const links = `<ul>${link('a')}${link('b')}</ul>`;
    const body = `${sections}<h2>Keys</h2><p>${intro}</p>${links}`;
    expect(lostOf(body)).toHaveLength(1);
    expect(chunksOf(body).at(-1)?.markdown).toMatch(new RegExp(`## Keys\\n\\n${intro}$`));
  });

  it('is a table of contents that gives the full URL of its page', () => {
    const full = toc.replaceAll('"#', '"https://help.example.com/en/article/a/#');
    expect(lostOf(`${full}${sections}`)).toHaveLength(1);
    expect(lostOf(`${full.replaceAll('/a/#', '/b/#')}<p>Words.</p>`)).toHaveLength(1);
    expect(lostOf(`${full.replaceAll('help.example.com', 'other.example.com')}${sections}`)).toEqual([]);
  });

  it('is a table of contents with names of groups, line breaks in its links, and full stops', () => {
    const item = (name: string, end = '') => `<li><a href="#one">${name}<br>and more</a>${end}</li>`;
    const group = (name: string, items: string) => `<li><strong>${name}:</strong><ul>${items}</ul></li>`;
    const grouped = `<ul>${group('First', item('A') + item('B', '.'))}${item('C')}</ul>`;
    expect(lostOf(`${grouped}${sections}`)).toHaveLength(1);
    const bare = `<ul>${item('A')}<li><strong>Turn it off first</strong></li></ul>`;
    expect(lostOf(`${bare}${sections}`)).toEqual([]);
  });

  it('is no list that says more than the headings do', () => {
    const list = '<ul><li><a href="#one">One</a>: how to begin</li><li><a href="#two">Two</a></li></ul>';
    expect(lostOf(`${list}${sections}`)).toEqual([]);
  });

  const related = (items: string) => `<h2>Related articles</h2><ul>${items}</ul>`;
  const link = (name: string, to = '/en/article/') => `<li><a href="${to}${name}/">Open a ${name}</a></li>`;

  it('is a list of links to other pages, with its heading', () => {
    const lost =
      '## Related articles\n\n- [Open a door](https://help.example.com/en/article/door/)\n- [Open a box](https://help.example.com/en/article/box/)';
    expect(lostOf(`${sections}${related(link('door') + link('box'))}`)).toEqual([lost]);
    const full = related(link('door', 'https://help.example.com/en/article/'));
    expect(lostOf(`${full}${sections}`)).toHaveLength(1);
  });

  it.each([
    ['has a step without a link', `${link('a')}${link('b')}<li>Press Save</li>`],
    ['says what the pages are about', `<li><a href="/a/">A</a>: how to begin</li>${link('b')}`],
    ['leads to other sites', link('door', 'https://other.example.org/')],
    ['holds a sentence', `${link('a')}${link('b')}<li>Push the door. It opens.</li>`],
  ])('is no list that %s', (_name, items) => {
    expect(lostOf(`${sections}${related(items)}`)).toEqual([]);
  });

  it('is not the heading or the text of a section that has more than a list of links', () => {
    const body = `${sections}${related(link('door'))}<p>Ask us for more.</p>`;
    expect(chunksOf(body).at(-1)).toMatchObject({
      headingPath: ['Related articles'],
      markdown: 'Ask us for more.',
    });
  });

  it('is nothing of a page that has only such text', () => {
    for (const body of [related(link('door') + link('box')), toc, callout])
      expect(lostOf(body, [callout])).toEqual([]);
  });

  it('is a call-out that most articles have, and no other', () => {
    const body = `${callout}${prose(3)}${sections}`;
    expect(lostOf(body, [`<p>x</p>${callout}`])).toEqual([
      '> [!NOTE]\n> This article is about **Pebblepost** & its lockers.',
    ]);
    expect(lostOf(body)).toEqual([]);
    expect(lostOf(body, [callout.replace('lockers', 'doors')])).toEqual([]);
  });
});
