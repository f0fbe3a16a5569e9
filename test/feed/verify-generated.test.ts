import { expect, it } from 'vitest';
import { verifyFeed } from '../../src/feed/verify/verify-feed.ts';
import { arbitraryBody, arbitraryText } from '../content/arbitrary-body.ts';
import { fc, runs } from '../support/properties.ts';
import { buildCorpus } from './support/build-corpus.ts';
import { readerOf } from './support/memory-output.ts';

const names = [
  'Setup',
  'setup',
  'MPI',
  '# MPI',
  '',
  ' ',
  '&nbsp;',
  '!',
  '1. First',
  'A &amp; B &lt;c&gt;',
  'a|b',
  '<code># x</code>',
  '<code>a``b</code>',
  '<img src="/a.png" alt="">',
  '<a href="#setup">Setup</a>',
  'الإعداد',
  'שלום <b>x</b>',
  '设置',
  '設定 ##',
  '😀',
  'Set\u00adup',
  'long '.repeat(60),
];

const codes = [
  '# comment',
  'x\n# comment\n\n## comment',
  '```\n# comment\n```',
  '- ```\n  # comment',
  '> # comment',
  '| # |\n|---|',
  '~~~\n# comment\n~~~',
  '\n\n# comment\n\n',
  '````',
  '    # comment',
];

const texts = [
  'Some words.',
  'word '.repeat(100),
  '字'.repeat(150),
  'كلمة '.repeat(60),
  '<code>```</code> and # more',
  '<code>a```` b</code> x',
  '```js x```',
  'x<br># y<br>## z',
  '# y',
  'First sentence. # y. ## z. '.repeat(20),
  `x${'😀'.repeat(200)}`,
  'Setext<br>===',
  'Setext\n---',
  '1. # y',
  '- ## y',
  '| # |',
  '&num; y &#35;&#35; z',
  '<b>Label</b>',
  '<kbd>#</kbd>',
  '\u202b# y\u202c',
];

const heading = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom(...names))
  .map(([level, name]) => `<h${level}>${name}</h${level}>`);
const code = fc
  .tuple(fc.constantFrom(...codes), fc.constantFrom('', ' class="language-bash"'))
  .map(([text, attribute]) => `<pre><code${attribute}>${text.replaceAll('>', '&gt;')}</code></pre>`);
const text = fc.constantFrom(...texts).map((words) => `<p>${words}</p>`);

const containers = [
  ['<table><tr><th>', '</th><th>x</th></tr><tr><td>y</td></tr></table>'],
  ['<table><tr><td>x</td></tr><tr><td>', '</td></tr></table>'],
  ['<table><tr><td colspan="2">', '</td></tr><tr><td>x</td><td>y</td></tr></table>'],
  ['<ul><li>', '</li><li>x</li></ul>'],
  ['<ul><li>x', '</li></ul>'],
  ['<ol start="9"><li>', '</li></ol>'],
  ['<blockquote>', '</blockquote>'],
  ['<div class="callout callout-warning">', '</div>'],
  ['<details><summary>x</summary>', '</details>'],
  ['<details><summary>', '</summary>x</details>'],
  ['<dl><dt>', '</dt><dd>x</dd></dl>'],
  ['<dl><dt>x</dt><dd>', '</dd></dl>'],
  ['<figure><img src="/a.png" alt="a"><figcaption>', '</figcaption></figure>'],
  ['<div>', '</div>'],
  ['<a href="https://x.test/">', '</a>'],
] as const;

/** Headings and code wherever a body can contain them, and texts that look like them. */
const { blocks: outline } = fc.letrec<{ blocks: string; container: string }>((tie) => ({
  blocks: fc
    .array(
      fc.oneof(
        { maxDepth: 3 },
        { weight: 4, arbitrary: heading },
        { weight: 2, arbitrary: code },
        { weight: 3, arbitrary: text },
        { weight: 3, arbitrary: tie('container') },
      ),
      { minLength: 1, maxLength: 7 },
    )
    .map((parts) => parts.join('')),
  container: fc
    .tuple(fc.constantFrom(...containers), tie('blocks'))
    .map(([[before, after], inside]) => before + inside + after),
}));

const anyBody = fc.oneof(
  { weight: 3, arbitrary: outline },
  { weight: 1, arbitrary: arbitraryBody },
  { weight: 1, arbitrary: arbitraryText },
);

async function findingsOf(bodies: readonly string[], minTokens: number) {
  const articles = bodies.map((body, at) => ({
    article_id: `generated${at}`,
    title: `Article ${at}`,
    slug: `article-${at}`,
    body,
    is_published: true,
    is_private: false,
    multilingual: [],
  }));
  const chunks = minTokens === 1 ? { minTokens, targetTokens: 20, softMaxTokens: 40, maxTokens: 60 } : {};
  const { output } = await buildCorpus({ articles, categories: [] }, { chunks });
  const { findings } = await verifyFeed(readerOf(output), output.paths());
  return findings;
}

const words = 'word '.repeat(100);
const table = '<table><tr><th>x</th><th>y</th></tr><tr><td><h3>In a cell</h3></td><td>z</td></tr></table>';
const numbered = (make: (at: number) => string): string =>
  Array.from({ length: 300 }, (_, at) => make(at)).join('');

it.each([
  ['a heading in a table cell above a section', `<h2>A</h2><p>${words}</p>${table}<h4>B</h4><p>${words}</p>`],
  [
    'a heading in a list above a section',
    `<h2>A</h2><ul><li><h3>In a list</h3></li></ul><h4>B</h4><p>${words}</p>`,
  ],
  [
    'a code span of backticks at the start of a line',
    `<p><code>\`\`\`</code> opens code.</p><h2>A</h2><p>${words}</p>`,
  ],
  [
    'comments in indented code',
    `<ul><li>x<pre><code># comment\n## comment</code></pre></li></ul><h2>A</h2><p>${words}</p>`,
  ],
  ['long code with comments', `<pre><code>${'# comment\n'.repeat(400)}</code></pre>`],
  ['a sentence that starts with a hash', `<p>${numbered((at) => `Sentence ${at}. # Comment ${at}. `)}</p>`],
  ['headings below each other at the end', `<p>${words}</p><h2>${'long '.repeat(200)}</h2><h2>End</h2>`],
  [
    'a header row longer than a chunk',
    `<table><tr><th>${numbered((at) => `Name ${at} `)}</th></tr><tr><td>x</td></tr></table>`,
  ],
  ['a line whose last window has one half of a character', `<p>x${'😀'.repeat(200)}</p>`],
  [
    'words directly before an image',
    '<p>Tap Share<img src="/a.png" alt="Share sheet"></p><p>Tap Print<img src="/a.png" alt="Print dialog"></p>',
  ],
  [
    'a video, and a table of images',
    '<iframe src="https://www.youtube.com/embed/x"></iframe><table><tr><td>A<img src="/a.png" alt="B"></td><td><video src="/c.mp4">D</video></td></tr></table>',
  ],
  ['an empty heading', `<h2></h2><p>${words}</p><h2> </h2><h3>A</h3><p>${words}</p>`],
])('verifyFeed accepts a new feed with %s', async (_what, body) => {
  expect(await findingsOf([body], 80)).toEqual([]);
  expect(await findingsOf([body], 1)).toEqual([]);
});

it('verifyFeed accepts a feed of any bodies that was just built', { tags: 'property' }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyBody, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(1, 80),
      async (bodies, minTokens) => {
        expect(await findingsOf(bodies, minTokens)).toEqual([]);
      },
    ),
    { numRuns: runs(200) },
  );
});
