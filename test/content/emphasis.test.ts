import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { fc, runs } from '../support/properties.ts';
import { compareMarkdown } from './parity.ts';
import { settings } from './settings.ts';

const pieces = [
  'x',
  'word',
  ' ',
  ' two words ',
  '.',
  '(',
  '“y”',
  '*',
  '_',
  '~',
  '!',
  '强调',
  '。',
  '😀',
  '<br>',
  '<code>c</code>',
  'x_y',
  '1',
];

const publish = (body: string) => transform(body, settings());

describe('emphasis that an author gave by style', () => {
  it.each([
    ['<p><span style="font-weight: 700">a</span> b</p>', '<p><strong>a</strong> b</p>', '**a** b\n'],
    [
      '<p><span style="font-weight:bold;font-style:italic">a</span></p>',
      '<p><strong><em>a</em></strong></p>',
      '***a***\n',
    ],
    ['<p><font style="FONT: bold 12px Arial">a</font></p>', '<p><strong>a</strong></p>', '**a**\n'],
    ['<p><span style="text-decoration: line-through">a</span> b</p>', '<p><s>a</s> b</p>', '~~a~~ b\n'],
    [
      '<p><span style="text-decoration-line: underline line-through">a</span></p>',
      '<p><s>a</s></p>',
      '~~a~~\n',
    ],
    [
      '<p>10<span style="font-size:0.6em;vertical-align:super">6</span></p>',
      '<p>10<sup>6</sup></p>',
      '10^6\n',
    ],
    ['<p>H<span style="vertical-align: sub">2</span>O</p>', '<p>H<sub>2</sub>O</p>', 'H₂O\n'],
    ['<p>m<font style="vertical-align:super">2</font></p>', '<p>m<sup>2</sup></p>', 'm²\n'],
    [
      '<p>Run <span style="font-family:&quot;Courier New&quot;,monospace">npm i</span> now</p>',
      '<p>Run <code>npm i</code> now</p>',
      'Run `npm i` now\n',
    ],
    [
      '<p><span style="font-family:Roboto Mono;font-weight:700">a_b</span>: x</p>',
      '<p><strong><code>a_b</code></strong>: x</p>',
      '**`a_b`**: x\n',
    ],
    ['<p style="font-weight:600">a</p>', '<p><strong>a</strong></p>', '**a**\n'],
    [
      '<div style="font-weight:bold"><p>a</p><p>b</p></div>',
      '<div><p><strong>a</strong></p>\n<p><strong>b</strong></p></div>',
      '**a**\n\n**b**\n',
    ],
    ['<ul style="font-weight:bold"><li>a</li></ul>', '<ul>\n<li><strong>a</strong></li></ul>', '- **a**\n'],
    [
      '<p><a href="https://x.example/" style="font-weight:bold">a</a></p>',
      '<p><a href="https://x.example/"><strong>a</strong></a></p>',
      '[**a**](https://x.example/)\n',
    ],
  ])('is kept in page and Markdown: %s', (body, html, markdown) => {
    expect(publish(body)).toMatchObject({ html, markdown });
  });

  it.each([
    ['weights below 600', '<p><span style="font-weight: 500">a</span></p>', '<p>a</p>'],
    ['a bold element with a normal weight', '<b style="font-weight:normal"><p>a</p></b>', '<p>a</p>'],
    ['an italic element with a normal style', '<p><em style="font-style:normal">a</em></p>', '<p>a</p>'],
    [
      'headings, which are bold anyway',
      '<h2><span style="font-weight:bold">a</span></h2>',
      '<h2 id="a">a</h2>',
    ],
    [
      'bold text within bold text',
      '<p><b>a <span style="font-weight:bold">b</span></b></p>',
      '<p><b>a b</b></p>',
    ],
    ['code', '<p><code style="font-weight:bold">a</code></p>', '<p><code>a</code></p>'],
    [
      'a raised cell',
      '<table><tr><td style="vertical-align:super">a<td>b<tr><td>c<td>d</table>',
      expect.not.stringContaining('<sup>'),
    ],
    [
      'a superscript in a superscript',
      '<p>a<sup style="vertical-align:super">1</sup></p>',
      '<p>a<sup>1</sup></p>',
    ],
    [
      'a paragraph in a font for code',
      '<p><span style="font-family:Courier New">Dear Ann</span></p>',
      '<p>Dear Ann</p>',
    ],
    [
      'a font that is not one for code',
      '<p>a <span style="font-family:Arial, monospace">b</span></p>',
      '<p>a b</p>',
    ],
  ])('is not added: %s', (_what, body, html) => {
    expect(publish(body).html).toEqual(html);
  });

  it('makes a first row of bold cells the header', () => {
    const bold = (text: string) => `<td><span style="font-weight:700">${text}</span></td>`;
    const { html, markdown } = publish(
      `<table><tr>${bold('a')}${bold('b')}</tr><tr><td>1</td><td>2</td></tr></table>`,
    );
    expect(html).toContain('<th scope="col"><strong>a</strong></th>');
    expect(markdown).toContain('| **a** | **b** |\n| --- | --- |\n| 1 | 2 |');
  });

  it('reaches the cells of a bold row', () => {
    const { markdown } = publish(
      '<table><tr style="font-weight:bold"><td>a</td></tr><tr><td>1</td></tr></table>',
    );
    expect(markdown).toBe('| **a** |\n| --- |\n| 1 |\n');
  });

  it('removes underlines and colours, and counts them', () => {
    const { html, problems } = publish(
      '<p><span style="color: #e60000">a</span> <span style="background-color: rgb(97, 189, 109)">b</span> <font color="green">c</font> ' +
        '<span style="text-decoration: underline">d</span> <span style="color: rgb(24, 50, 71)">e</span> ' +
        '<a href="https://x.example/" style="color:#1155cc;text-decoration:underline"><span style="color:#1155cc">f</span></a></p>',
    );
    expect(html).toBe('<p>a b c d e <a href="https://x.example/">f</a></p>');
    expect(problems).toEqual([
      {
        code: 'ELEMENT_DROPPED',
        message: '3 coloured passages and 1 underlined passage are published without that style',
      },
    ]);
  });
});

describe('marks beside other text and other marks', () => {
  it.each([
    ['a word in two pieces', '<b>Imp</b><strong>ortant</strong>', '**Important**'],
    ['a passage in pieces', '<b>Do </b><b>not</b><b> press</b> it', '**Do not press** it'],
    ['pieces with the same marks', '<b><i>a</i></b><b><i>b</i></b>', '***ab***'],
    ['the start of a word', '<b>Imp</b>ortant', '**Imp**ortant'],
    ['struck after bold', '<b>now</b><del>never</del>', '**now**~~never~~'],
    ['struck in a word', '<em>x</em><s>y</s>z', '*x*~~y~~z'],
    ['bold after italic', '<em>x</em><strong>y</strong>', '_x_**y**'],
    ['bold after italic, before a letter', '<em>x</em><strong>y</strong>z', '_x_**y**z'],
    ['italic after bold', '<b>Step 1</b><i>(optional)</i>', '**Step 1**_(optional)_'],
    ['italic after bold, before a letter', '<b>H</b><i>2</i>O', '**H***2*O'],
    ['three in a row', 'a<i>x</i><b>y</b><i>z</i>b', 'a*x***y***z*b'],
    ['italic after bold that ends italic', '<b>a <i>b</i></b><i>c</i>d', '<strong>a *b*</strong>*c*d'],
    ['a struck sign', '10<s>%</s>5', '10<del>%</del>5'],
    [
      'a struck link in a word',
      'x<s><a href="https://x.example/">y</a></s>z',
      'x<del>[y](https://x.example/)</del>z',
    ],
    ['bold punctuation, which says nothing', 'a<b>:</b>b', 'a:b'],
    ['quotes at the edge of two marks', 'x<b><i>“y”</i></b>z', 'x“***y***”z'],
    ['a sign after a mark within another', '<b>x<i>y</i>z*<code>c</code></b>', '**x*y*z\\*`c`**'],
  ])('are written so that CommonMark reads them: %s', (_what, body, markdown) => {
    const document = publish(`<p>${body}</p>`);
    expect(document.markdown).toBe(`${markdown}\n`);
    expect(compareMarkdown(document)).toEqual([]);
  });

  const { passage } = fc.letrec<{ passage: string; marked: string }>((tie) => ({
    passage: fc
      .array(fc.oneof({ maxDepth: 3 }, fc.constantFrom(...pieces), tie('marked')), { maxLength: 5 })
      .map((all) => all.join('')),
    marked: fc
      .tuple(
        fc.constantFrom('b', 'i', 's', 'em', 'a href=/x', 'span style="font-weight:bold"'),
        tie('passage'),
      )
      .map(([tag, inner]) => `<${tag}>${inner}</${tag.split(' ')[0]}>`),
  }));

  it('mean in Markdown what they mean on the page', { tags: 'property' }, () => {
    fc.assert(
      fc.property(passage, (body) => {
        expect(
          compareMarkdown(publish(`<p>${body}</p><ul><li>${body}</ul><table><tr><td>${body}</table>`)),
        ).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });
});
