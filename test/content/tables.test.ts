import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { compareMarkdown } from './parity.ts';
import { settings } from './settings.ts';

/** The table alone, without line ends. */
function table(body: string): string {
  return /<table.*<\/table>/s.exec(transform(body, settings()).html)?.[0].replaceAll('\n', '') ?? '';
}

function markdown(body: string): string {
  return transform(body, settings()).markdown;
}

describe('tables', () => {
  it('are in a region that the keyboard reaches, named after the caption, the heading above or the first row', () => {
    const label = (body: string) => / aria-label="([^"]*)"/.exec(transform(body, settings()).html)?.[1];
    const rows = '<tr><td>Pin</td><td>Use</td></tr>';
    expect(label(`<h2>Pins</h2><table><caption>All "pins"</caption>${rows}</table>`)).toBe(
      'All &quot;pins&quot;',
    );
    expect(label(`<h2>Pins</h2><table>${rows}</table>`)).toBe('Pins');
    expect(label(`<table>${rows}</table>`)).toBe('Pin, Use');
    expect(transform(`<table>${rows}</table>`, settings()).html).toMatch(
      /^<div class="table-scroll" role="region" tabindex="0"/,
    );
  });

  it('have names that no other table or aside of the page has', () => {
    const rows = '<tr><td>Pin</td><td>Use</td></tr>';
    const { html } = transform(
      `<h2>Pins</h2><table>${rows}</table><table><caption>Pins (2)</caption>${rows}</table>` +
        `<table>${rows}</table><aside><p>Text</p></aside>`,
      settings(),
    );
    const labels = [...html.matchAll(/ aria-label="([^"]*)"/g)].map(([, label]) => label);
    expect(labels).toEqual(['Pins', 'Pins (2)', 'Pins (3)', 'Pins (4)']);
  });

  it('tell the scope of header cells', () => {
    expect(table('<table><tr><th>a<th>b<tr><th>c<td>d</table>')).toBe(
      '<table><tbody><tr><th scope="col">a</th><th scope="col">b</th></tr><tr><th scope="row">c</th><td>d</td></tr></tbody></table>',
    );
    expect(table('<table><thead><tr><td>a</thead><tr><td>b</table>')).toContain(
      '<thead><tr><th scope="col">a</th></tr></thead>',
    );
  });

  it.each([
    ['<tr><th>a<td>b<tr><th>c<td>d', 'row'],
    ['<tr><th scope="row">a<td>b<tr><td>c<td>d', 'row'],
    ['<tr><th>a<td>b<tr><td>c<td>d', 'col'],
    ['<tr><td><th>a<tr><th>c<td>d', 'col'],
    ['<thead><tr><th>a<td>b<tbody><tr><th>c<td>d', 'col'],
    ['<tr><th>a<th>b<td>c<tr><th>d<td>e<td>f', 'col'],
    ['<tr><td>b<th>a<tr><th>c<th>d', 'col'],
  ])('have headers of rows in the first row, too: %s', (rows, scope) => {
    expect(table(`<table>${rows}</table>`)).toContain(`<th scope="${scope}">a</th>`);
  });

  it('take a bold first row for the header', () => {
    const body =
      '<table><tr><td><b>A</b></td><td><p><strong>B</strong></p></td></tr><tr><td>1</td><td>2</td></tr></table>';
    expect(table(body)).toContain(
      '<tr><th scope="col"><b>A</b></th><th scope="col"><p><strong>B</strong></p></th></tr>',
    );
    expect(markdown(body)).toBe('| **A** | **B** |\n| --- | --- |\n| 1 | 2 |\n');
  });

  it('without a header have their first row that is not empty as the header in Markdown', () => {
    const empty = '<tr><td></td><td> </td></tr>';
    expect(
      markdown(`<table>${empty}<tr><td>1</td><td>2</td></tr>${empty}<tr><td>3</td><td></td></tr></table>`),
    ).toBe('| 1 | 2 |\n| --- | --- |\n| 3 |  |\n');
    expect(markdown(`<p>a</p><table>${empty}</table><p>b</p>`)).toBe('a\n\nb\n');
    expect(markdown('<table><tr><th></th></tr><tr><td>1</td></tr></table>')).toBe('| 1 |\n| --- |\n');
  });

  it('lose spans that reach out, overlap or cover nothing', () => {
    expect(table('<table><tr><td colspan=3>a</td></tr><tr><td>b</td><td rowspan=9>c</td></tr></table>')).toBe(
      '<table><tbody><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></tbody></table>',
    );
    expect(table('<table><tr><td rowspan=3>a</td><td>b</td></tr><tr></tr><tr><td>c</td></tr></table>')).toBe(
      '<table><tbody><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr></tbody></table>',
    );
    expect(table('<table><tr><td rowspan=2>a</td></tr><tr></tr><tr><td>b</td></tr></table>')).toBe(
      '<table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table>',
    );
  });

  it('get short rows filled up', () => {
    expect(table('<table><tr><td>a<td>b<tr><td>c</table>')).toContain('<tr><td>c</td><td></td></tr>');
  });

  it('keep what Markdown cannot nest: lists and blocks joined by breaks, nested tables row by row, bars in code', () => {
    expect(
      markdown(
        '<table><tr><th>a|b</th><th><code>x|y</code></th></tr><tr><td>one<ul><li>two</li><li>three</li></ul></td>' +
          '<td>n<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table></td></tr></table>',
      ),
    ).toBe('| a\\|b | `x\\|y` |\n| --- | --- |\n| one<br>- two<br>- three | n<br>1 \\| 2<br>3 \\| |\n');
  });

  it.each([
    ['steps', '<ol><li>Press</li><li>Hold</li></ol>', '1. Press<br>2. Hold'],
    [
      'steps after a sentence',
      'Do:<ol start="3"><li><p>Press</p><p>it</p></li></ol>',
      'Do:<br>3. Press<br>it',
    ],
    ['letters', '<ol type="a"><li>x</li><li>y</li></ol>', 'a. x<br>b. y'],
    ['levels', '<ul><li>Wait<ul><li>ten <b>seconds</b></li></ul></li></ul>', '- Wait<br>- ten **seconds**'],
    ['code in a step', '<ol><li><pre>a|b</pre></li></ol>', '1. `a\\|b`'],
  ])('keep the markers of lists in cells: %s', (_what, body, expected) => {
    expect(markdown(`<table><tr><th>h<tr><td>${body}</table>`)).toBe(`| h |\n| --- |\n| ${expected} |\n`);
  });

  it('keep the indents of code in a cell', () => {
    const body =
      '<table><tr><th>a<th>b<tr><td>1<td><pre>if x:\n    y\n\t`z`\n  |</pre><tr><td>2<td>c</table>';
    const document = transform(body, settings());
    expect(document.markdown).toContain('| 1 | `if x:`<br>`    y`<br>``     `z` ``<br>`  \\|` |\n');
    expect(compareMarkdown(document)).toEqual([]);
  });

  it('repeat merged cells as empty ones in Markdown, and align columns', () => {
    expect(
      markdown(
        '<table><tr><th style="text-align:center">a</th><th align=right>b</th></tr><tr><td colspan=2>c</td></tr></table>',
      ),
    ).toBe('| a | b |\n| :---: | ---: |\n| c |\n');
  });

  it('are lines of cells in text', () => {
    expect(
      transform('<table><caption>C</caption><tr><td>a<p>b</p></td><td>c</td></tr></table>', settings()).text,
    ).toBe('C\na b | c');
  });

  it('without cells leave nothing but their caption', () => {
    expect(
      transform('<table></table><table><tr></tr></table><table><caption>C</caption></table>', settings())
        .html,
    ).toBe('<p>C</p>');
  });

  it('of a single cell, used only for layout, are unwrapped', () => {
    const { html, markdown } = transform(
      '<table style="width:50%"><tbody><tr><td><hr><p>a</p><hr></td></tr></tbody></table>',
      settings(),
    );
    expect(html).toBe('<div>\n<hr>\n<p>a</p>\n<hr></div>'.replace('<div>\n', '<div>'));
    expect(markdown).toBe('___\n\na\n\n___\n');
    expect(transform('<table><caption>A</caption><tr><td>b</table>', settings()).html).toContain('<table>');
    expect(transform('<table><tr><th>a</th></tr><tr><td>b</td></tr></table>', settings()).html).toContain(
      '<table>',
    );
  });

  it('with five columns or more are marked as wide', () => {
    const region = (columns: number) =>
      / class="(table-scroll[^"]*)"/.exec(
        transform(`<table>${`<tr>${'<td>a</td>'.repeat(columns)}</tr>`.repeat(2)}</table>`, settings()).html,
      )?.[1];
    expect(region(4)).toBe('table-scroll');
    expect(region(5)).toBe('table-scroll table-wide');
  });

  it.each([
    ['table-scroll table-wide', 'long words', ['a'.repeat(40), 'b'.repeat(40)]],
    ['table-scroll table-wide', 'a long line of code', ['a', `<pre>x\n${'y '.repeat(40)}</pre>`]],
    ['table-scroll table-wide', 'long cells in three columns', Array(3).fill('some words '.repeat(13))],
    ['table-scroll', 'long cells in two columns', Array(2).fill('some words '.repeat(30))],
    ['table-scroll', 'words that fit beside each other', ['a'.repeat(30), 'b'.repeat(30)]],
    ['table-scroll', 'long words that can be broken', ['a-'.repeat(40), '表'.repeat(80)]],
  ])('are marked as %s by their text: %s', (region, _what, cells) => {
    const row = `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    expect(transform(`<table>${row}${row}</table>`, settings()).html).toContain(`class="${region}"`);
  });

  it.each([
    [
      'all cells with a background',
      '<tr><td style="background-color:#eee">A</td><td style="background:#eeeeee">B</td></tr>',
    ],
    ['a row with a background', '<tr style="background-color: rgb(230, 230, 230)"><td>A</td><td>B</td></tr>'],
    ['the obsolete attribute', '<tr bgcolor="#DDDDDD"><td>A</td><td>B</td></tr>'],
    ['scope', '<tr><td scope="col">A</td><td scope="col">B</td></tr>'],
  ])('take a highlighted first row for the header: %s', (_what, row) => {
    expect(table(`<table>${row}<tr><td>1</td><td>2</td></tr></table>`)).toContain('<th scope="col"');
  });

  it.each([
    [
      'when the whole table has a background',
      '<tr bgcolor="#eee"><td>A</td></tr><tr bgcolor="#eee"><td>1</td></tr>',
    ],
    ['when the background is white', '<tr bgcolor="#ffffff"><td>A</td></tr><tr><td>1</td></tr>'],
    [
      'when only one cell has a background',
      '<tr><td bgcolor="#eee">A</td><td>B</td></tr><tr><td>1</td><td>2</td></tr>',
    ],
    [
      'when the second row alternates',
      '<tr bgcolor="#eee"><td>A</td></tr><tr><td>1</td></tr><tr bgcolor="#eee"><td>2</td></tr>',
    ],
  ])('take no background for a header %s', (_what, rows) => {
    expect(table(`<table>${rows}</table>`)).not.toContain('<th');
  });

  it('repeat the text of a cell in all rows that it spans, in Markdown and text', () => {
    const body =
      '<table><tr><th>OS</th><th>Version</th></tr><tr><td rowspan="2">Linux</td><td>5</td></tr><tr><td>6</td></tr><tr><td colspan="2">Other</td></tr></table>';
    expect(markdown(body)).toBe('| OS | Version |\n| --- | --- |\n| Linux | 5 |\n| Linux | 6 |\n| Other |\n');
    expect(compareMarkdown(transform(body, settings()))).toEqual([]);
    expect(transform(body, settings()).text).toBe('OS | Version\nLinux | 5\nLinux | 6\nOther');
  });

  it('take a first row of headings for the header, in Markdown and text', () => {
    const document = transform(
      '<h2>Plans</h2><table><tr><td></td><td><h3>Free</h3></td><td><div><h3>Pro</h3></div></td></tr>' +
        '<tr><td>Users</td><td>1</td><td>9</td></tr></table>',
      settings(),
    );
    expect(document.markdown).toBe('## Plans\n\n|  | Free | Pro |\n| --- | --- | --- |\n| Users | 1 | 9 |\n');
    expect(document.html).toContain('<td><h3 id="free">Free</h3></td>');
    expect(compareMarkdown(document)).toEqual([]);
  });

  it('have their other headings in bold in Markdown', () => {
    const document = transform(
      '<table><tr><td>a</td></tr><tr><td><h3>Free <b>plan</b></h3><p>For one user</p></td></tr></table>',
      settings(),
    );
    expect(document.markdown).toBe('| a |\n| --- |\n| **Free plan**<br>For one user |\n');
    expect(compareMarkdown(document)).toEqual([]);
  });

  describe('that arrange code', () => {
    const script = '<pre>#!/bin/bash -e\n# one\nsrun job</pre>';
    const fence = '```\n#!/bin/bash -e\n# one\nsrun job\n```';

    it('in one column are blocks one below the other, with code that can be copied', () => {
      const document = transform(
        `<table><caption>Job</caption><tr><th>Script</th></tr><tr><td>${script}</td></tr><tr><td>Then wait.</td></tr></table>`,
        settings(),
      );
      expect(document.markdown).toBe(`Job\n\n**Script**\n\n${fence}\n\nThen wait.\n`);
      expect(document.text).toBe('Job\nScript\n#!/bin/bash -e\n# one\nsrun job\nThen wait.');
      expect(document.blocks.map(({ type }) => type)).toEqual(['paragraph', 'label', 'code', 'paragraph']);
      expect(document.html).toContain('<table>');
      expect(compareMarkdown(document)).toEqual([]);
    });

    it('below headings have each heading above its code', () => {
      const document = transform(
        `<h2>Examples</h2><table><tr><td><h3>Serial</h3></td><td><h3>MPI</h3></td></tr><tr><td>${script}</td><td><pre>a\nb</pre></td></tr></table>`,
        settings(),
      );
      expect(document.markdown).toBe(
        `## Examples\n\n### Serial\n\n${fence}\n\n### MPI\n\n\`\`\`\na\nb\n\`\`\`\n`,
      );
      expect(document.sections.map(({ heading }) => heading?.text ?? null)).toEqual([
        null,
        'Examples',
        'Serial',
        'MPI',
      ]);
    });

    it('without a header are read row by row, and a cell that spans rows once', () => {
      expect(
        markdown(
          `<table><tr><td rowspan=2>Linux</td><td>${script}</td></tr><tr><td>Done</td></tr><tr><td>Mac</td><td><pre>x</pre></td></tr></table>`,
        ),
      ).toBe(`Linux\n\n${fence}\n\nDone\n\nMac\n\n\`\`\`\nx\n\`\`\`\n`);
    });

    it.each([
      ['a header with several rows below it', '<tr><th>a<th>b<tr><td>1<td><pre>x\ny</pre><tr><td>2<td>z'],
      ['code of one line', '<tr><td>a<td><pre>x</pre>'],
    ])('stay tables with %s', (_what, rows) => {
      expect(markdown(`<table>${rows}</table>`)).toContain('| --- | --- |');
    });
  });

  it('keep the alt texts of icons in text', () => {
    expect(
      transform(
        '<table><tr><th>Plan</th><th>Chat</th></tr><tr><td>Pro</td><td><img src="/y.png" alt="yes"></td></tr></table><img src="/z.png" alt="z">',
        settings(),
      ).text,
    ).toBe('Plan | Chat\nPro | yes');
  });

  it('of a single cell keep the targets of links in all their parts', () => {
    const body =
      '<table id="t"><tbody id="b"><tr id="r"><td id="c">a</td></tr></tbody></table><p><a href="#t">1</a> <a href="#b">2</a> <a href="#r">3</a> <a href="#c">4</a></p>';
    const { html, problems } = transform(body, settings());
    for (const id of ['t', 'b', 'r', 'c']) expect(html.split(` id="${id}"`)).toHaveLength(2);
    expect(problems).toEqual([]);
  });

  it('of a single cell without content are removed', () => {
    expect(transform('<p>a</p><table><td></td></table>', settings()).html).toBe('<p>a</p>');
  });
});
