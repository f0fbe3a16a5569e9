import { expect, it } from 'vitest';
import { readPage } from '../../src/source/built-site/read-page.ts';

const read = (body: string) =>
  readPage('a.html', `<html lang="en"><head><title>Head</title></head><body>${body}</body></html>`, {
    content: null,
    ignore: null,
  });

const words = (html: string | null) =>
  (html ?? '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const text = '<p>One two three four five.</p>';
const shown = 'One two three four five.';

it.each([
  [
    'a short article beside the text is not all of it',
    `<div><h1>A</h1>${text}</div><div><article><h3>Also read</h3></article></div>`,
    `${shown} Also read`,
  ],
  [
    'the text of the main element beside a short article',
    `<main><h1>A</h1><article><p>Intro.</p></article><section>${text}</section></main>`,
    `Intro. ${shown}`,
  ],
  ['an article below its title', `<main><h1>A</h1><article>${text}</article><p>Next page</p></main>`, shown],
  [
    'an article with its title, however short',
    `<main><article><h1>A</h1><p>Intro.</p></article><p>One two three.</p></main>`,
    'Intro.',
  ],
  ['a page within a form', `<form action="x.aspx"><input><h1>A</h1>${text}</form>`, shown],
  ['a main element with a form', `<main><form><h1>A</h1>${text}</form></main>`, shown],
  [
    'no form beside the text',
    `<main><h1>A</h1>${text}${text}<form><p>Was this helpful?</p></form></main>`,
    `${shown} ${shown}`,
  ],
  [
    'no form that is longer than the text, and asks the reader',
    `<main><h1>A</h1>${text}<form><h2>Was this helpful?</h2>${text}${text}<textarea></textarea></form></main>`,
    shown,
  ],
  [
    'headers and footers of parts of the text',
    `<header><p>Site</p></header><div><h1>A</h1><section><header><h2>B</h2></header>${text}</section><blockquote><p>Q.</p><footer>Ann</footer></blockquote></div><footer>Imprint</footer>`,
    `B ${shown} Q. Ann`,
  ],
  [
    'notes and footnotes beside the text',
    `<aside><p>Menu</p></aside><div><h1>A</h1>${text}<aside role="note"><p>Note.</p></aside></div><aside role="doc-endnotes"><ol><li>Foot.</li></ol></aside>`,
    `${shown} Note. Foot.`,
  ],
  [
    'a footnote of kramdown without its way back',
    `<main><h1>A</h1>${text}<div class="footnotes" role="doc-endnotes"><ol><li><p>Foot. <a href="#fnref:1" class="reversefootnote" role="doc-backlink">&#8617;</a></p></li></ol></div></main>`,
    `${shown} Foot.`,
  ],
  [
    'a note between paragraphs',
    `<div><h1>A</h1>${text}<aside class="notice">Note.</aside><p>End.</p></div>`,
    `${shown} Note. End.`,
  ],
  [
    'no header, footer or sidebar of the section that is the whole page',
    `<section><header>Site, call 123</header><div><h1>A</h1>${text}${text}</div><aside>Popular</aside><footer>Imprint</footer></section>`,
    `${shown} ${shown}`,
  ],
  [
    'no header or footer of the cell that is the whole page',
    `<table><tr><td><header>Site</header><div><h1>A</h1>${text}</div><footer>Imprint</footer></td></tr></table>`,
    shown,
  ],
  [
    'no sidebar after the last paragraph',
    `<h1>A</h1>${text}<aside><h3>Contact us</h3><p>Call 123.</p></aside>`,
    shown,
  ],
  [
    'a short article without what asks for consent or feedback beside it',
    `<h1>A</h1><article>${text}</article><div class="cookie-consent">${text}${text}</div><div id="feedback">${text}</div>`,
    shown,
  ],
  [
    'no menu of a part of the text',
    `<section><aside><a href="/b">B</a><a href="/c">C</a><a href="/d">D</a></aside><h1>A</h1>${text}</section>`,
    shown,
  ],
])('%s', (_what, body, expected) => {
  expect(words(read(body).body.html)).toBe(expected);
});

it.each([
  ['404.html', 'not-found'],
  ['404/index.html', 'not-found'],
  ['en/404.html', 'not-found'],
  ['product/404.html', 'not-found'],
  ['popular/404.html', 'not-found'],
  ['status/404.html', null],
  ['errors/404/index.html', null],
])('%s is the page for URLs that do not exist, or an article about them: %s', (file, skip) => {
  const article = `<h1>404 Not Found</h1>${text.repeat(12)}`;
  const links = `<ul>${'<li><a href="/a">One two three four five</a></li>'.repeat(12)}</ul>`;
  const body = file.startsWith('product')
    ? '<h1>404</h1><p>Nothing is here.</p>'
    : file.startsWith('popular')
      ? `<h1>404</h1><p>Popular pages:</p>${links}`
      : article;
  const page = readPage(file, `<html lang="en"><body><main>${body}</main></body></html>`, {
    content: null,
    ignore: null,
  });
  expect(page.skip).toBe(skip);
});

it('A page that loads itself again from time to time is no redirect', () => {
  const html = (url: string) =>
    `<html lang="en"><head><meta http-equiv="refresh" content="5; url=${url}"></head><body><main><h1>A</h1>${text}</main></body></html>`;
  const skipOf = (url: string) => readPage('guide/a.html', html(url), { content: null, ignore: null }).skip;
  expect(skipOf('a.html')).toBeNull();
  expect(skipOf('#now')).toBeNull();
  expect(skipOf('b.html')).toBe('redirect');
});

it.each([
  [' lang="de" xml:lang="fr"', 'de'],
  [' xml:lang="fr"', 'fr'],
  ['', null],
])('<html%s> has the language %s', (attributes, language) => {
  const page = readPage('a.html', `<html${attributes}><body><main>${text}</main></body></html>`, {
    content: null,
    ignore: null,
  });
  expect(page.language).toBe(language);
});

it.each([
  ['labels', '<td>x', '<span class="sr-only">a</span>'],
  ['buttons', '<td>x', '<button>a</button>'],
  ['icons', '<td>', '<svg aria-label="a"></svg>'],
])('reads a page whose layout is one cell with thousands of %s in linear time', (_what, start, part) => {
  expect(read(`<h1>A</h1><table><tr>${start}${part.repeat(20_000)}</td></tr></table>`).title).toBe('A');
});
