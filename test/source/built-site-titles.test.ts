import { expect, it } from 'vitest';
import { readPage } from '../../src/source/built-site/read-page.ts';

const read = (body: string) =>
  readPage('a.html', `<html lang="en"><head><title>Head</title></head><body>${body}</body></html>`, {
    content: null,
    ignore: null,
  });

const main = (body: string) => read(`<main>${body}</main>`);

it.each([
  ['<h1>Start with C#</h1>', 'Start with C#'],
  ['<h1 id="a">Use F# <a href="#a">#</a></h1>', 'Use F#'],
  ['<h1 id="a">Use F#<a href="#a">#</a></h1>', 'Use F#'],
  ['<h1>Oil<a href="/guide/#oil">¶</a></h1>', 'Oil'],
  ['<h1>Oil<span class="anchor">#</span></h1>', 'Oil'],
  ['<h1>Get<br>started</h1>', 'Get started'],
  ['<h1><div>Part 1</div><div>Begin</div></h1>', 'Part 1 Begin'],
  ['<h1>2<sup>8</sup> bits of <b>m</b>emory</h1>', '28 bits of memory'],
])('%s is the title %s', (heading, title) => {
  expect(main(`${heading}<p>Text.</p>`).title).toBe(title);
});

it.each([
  [
    'a link to another section in a heading',
    '<h2 id="a">See <a href="#b">part two</a> first</h2>',
    'See part two first',
  ],
  [
    'a name that is a link to its own heading',
    '<h3 id="run"><a href="#run">run</a>(file, mode)</h3>',
    'run(file, mode)',
  ],
  [
    'a name in a signature that is a link to itself',
    '<section id="new"><h3>pub fn <a href="#new" class="fn">new</a>() -&gt; A</h3></section>',
    'pub fn new() -&gt; A',
  ],
  ['a name at the end of a signature', '<h3 id="new">fn <a href="#new" class="fn">new</a></h3>', 'fn new'],
  [
    'no link to a heading that a class names',
    '<h2 id="a">Oil <a class="anchor" href="#a">Section 1</a></h2>',
    'Oil',
  ],
  ['no permalink with words', '<h2 id="a">Oil <a href="#a">Permalink</a></h2>', 'Oil'],
  [
    'no permalink of the section around it',
    '<section id="a"><h2>Oil <a href="#a">Permalink</a></h2></section>',
    'Oil',
  ],
  ['no permalink with the whole path', '<h2 id="a">Oil <a href="/a.html#a">#</a></h2>', 'Oil'],
  ['no link to the top', '<h2 id="a">Oil <a href="#top">top</a> <a href="#">Back to top</a></h2>', 'Oil'],
  ['no permalink that names its heading', '<h2 id="a">Oil <a href="#a">Direct link to Oil</a></h2>', 'Oil'],
  ['no permalink with an encoded letter', '<h2 id="öl">Oil <a href="#%C3%B6l">Link</a></h2>', 'Oil'],
  ['no mark of a footnote', '<h2 id="a">Oil <a href="#fn1">1</a></h2>', 'Oil'],
])('keeps %s', (_what, heading, text) => {
  const { body } = main(`<h1>A</h1>${heading}<p id="b">Text.</p>`);
  const [, shown = ''] = /<h[23][^>]*>([\s\S]*?)<\/h[23]>/.exec(body.html ?? '') ?? [];
  expect(shown.replace(/<[^>]*>/g, '').trim()).toBe(text);
});

it('does not keep a heading that repeats the title above the text', () => {
  const html =
    '<html lang="en"><head><meta name="generator" content="Jekyll v4.4"></head><body><main><h1>A</h1><div class="post-content"><h1>A</h1><p>Text.</p></div></main></body></html>';
  const page = readPage('a.html', html, { content: null, ignore: null });
  expect([page.title, page.body.html]).toEqual(['A', '<p>Text.</p>']);
});

it('reads a page whose path looks like a URL without a host', () => {
  const html = '<html lang="en"><body><main><h1>A</h1><p>Text.</p></main></body></html>';
  expect(readPage('http:[a].html', html, { content: null, ignore: null }).title).toBe('A');
});
