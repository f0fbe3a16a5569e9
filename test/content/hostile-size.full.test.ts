import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { settings } from './settings.ts';

const numbered = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join('');

/** Bodies made to take forever, overflow the stack or fill the memory. Each must simply be done within the time of a test. */
const bodies: Readonly<Record<string, string>> = {
  '10 MB of paragraphs': '<p>Press the <b>reset</b> button &amp; wait.</p>\n'.repeat(220_000),
  '10 MB of text': 'word '.repeat(2_000_000),
  '50,000 nested elements': '<div>'.repeat(50_000),
  '50,000 nested lists': '<ul><li>x'.repeat(50_000),
  '50,000 nested tables': '<table><tr><td>x'.repeat(50_000),
  '50,000 nested quotations': '<blockquote>x'.repeat(50_000),
  '50,000 unclosed, all different': numbered(50_000, (index) => `<b id=${index}>x`),
  'formatting to repeat in every paragraph': numbered(50_000, (index) => `<p><b id=${index}>x`),
  '10,000 attributes': `<a ${numbered(10_000, (index) => `a${index}=1 `)}>x</a>`,
  '100,000 classes': `<p class="${'alert '.repeat(100_000)}">x</p>`,
  '100,000 declarations': `<p style="${'color:red;'.repeat(100_000)}">x</p>`,
  'cells that span everything': `<table>${'<tr><td colspan=1000 rowspan=65534>x'.repeat(20_000)}</table>`,
  'content pushed out of a table': `<table>${'<b>x'.repeat(50_000)}`,
  '50,000 captions': `<table>${'<caption>x'.repeat(50_000)}`,
  '50,000 accordions': numbered(
    50_000,
    (index) => `<button aria-controls=x${index}>x</button><div id=x${index}>x</div>`,
  ),
  'accordions in one another': numbered(
    20_000,
    (index) => `<div id=x${index}><button aria-controls=x${20_000 - index}>x</button>`,
  ),
  '50,000 hidden elements in one another': '<div hidden>x'.repeat(50_000),
  '800,000 items below empty ones': `<ol>${'<li></li><li>a</li>'.repeat(800_000)}</ol>`,
  '100,000 equal headings': '<h2>same</h2>'.repeat(100_000),
  '100,000 code spans side by side': '<code>x</code>'.repeat(100_000),
  'a megabyte of backticks': `<code>${'`'.repeat(1_000_000)}</code><pre>${'`'.repeat(1_000_000)}</pre>`,
  'a megabyte of stars and brackets': `<p>${'*[_`~'.repeat(200_000)}</p>`,
  'a megabyte of no-break spaces': `<p>x${'&nbsp; '.repeat(200_000)}x</p>`,
  'a megabyte of empty paragraphs': '<p>&nbsp;</p><p><br></p>'.repeat(45_000),
  'a megabyte of joiners': `<p>${'\u200c\u200d'.repeat(500_000)}</p>`,
  'a megabyte of punctuation in bold': `<p>a<strong>${'!'.repeat(1_000_000)}</strong>b</p>`,
  'a megabyte of line breaks': `x${'<br>'.repeat(250_000)}x`,
  'a megabyte of code to highlight':
    `<pre><code class="language-csharp">${`${'a '.repeat(200)}\n`.repeat(25)}</code></pre>`.repeat(100),
  'a megabyte of unclosed comments': '<!--'.repeat(250_000),
  'a megabyte of less-than signs': '<'.repeat(1_000_000),
  '300,000 links in one paragraph': '<a href="/article/One0000002">x</a>'.repeat(300_000),
  '50,000 links after exclamation marks': '!<a href="https://x.test/">x</a>'.repeat(50_000),
  'players and tables below a heading of 100 KB': `<h2>${'word '.repeat(20_000)}</h2>${'<iframe src="https://www.youtube.com/embed/x"></iframe><table><tr><td>x</td><td>y</td></tr></table>'.repeat(10_000)}`,
  'an address of a megabyte': `<a href="https://x.test/${'%|['.repeat(300_000)}">x</a>`,
  '50,000 forms, selects, templates and drawings': '<form><select><template><svg>'.repeat(50_000),
};

describe('a body made to take forever', () => {
  it.each(Object.keys(bodies))('is done: %s', (name) => {
    const { html, markdown, text } = transform(bodies[name] ?? '', settings());
    const size = (bodies[name] ?? '').length;
    // What is published never grows out of proportion to what came in.
    expect(html.length).toBeLessThan(size * 12 + 1000);
    expect(markdown.length).toBeLessThan(size * 24 + 1000);
    expect(text.length).toBeLessThan(size * 24 + 1000);
  });
});
