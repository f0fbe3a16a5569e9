import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { settings } from './settings.ts';

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
  ])('is not added: %s', (_what, body, html) => {
    expect(publish(body).html).toBe(html);
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
        code: 'STYLE_DROPPED',
        message: '3 coloured passages and 1 underlined passage are published without that style',
      },
    ]);
  });
});
