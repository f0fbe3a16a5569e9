import { describe, expect, it } from 'vitest';
import { bodyToMarkdown } from '../../../src/source/folder/body-markdown.ts';

const policy = { iframeHosts: ['youtube.com'], classes: [], callouts: {} };
const formOf = (body: string) => bodyToMarkdown(body, policy, 'en');
const reasonOf = (body: string) => {
  const form = formOf(body);
  return form.kind === 'html' ? form.reason : form.markdown;
};

describe('bodyToMarkdown', () => {
  it.each([
    ['<p>One<br>Two</p>', 'One\\\nTwo'],
    ['<p><strong><em>a</em></strong></p>', '***a***'],
    ['<p><strong>a </strong>b</p>', '**a** b'],
    ['<p>a<strong>.b</strong></p>', 'a<strong>.b</strong>'],
    ['<div><div><p>a</p></div></div>', 'a'],
    ['<p><img src="/a.png" alt="A" width="40"></p>', '<p><img src="/a.png" alt="A" width="40"></p>'],
    ['<p>Go <a href="/article/x#y">on</a></p>', 'Go [on](/article/x#y)'],
    ['<p class="align-center">a</p>', '<p class="align-center">a</p>'],
    ['<dl><dt>a</dt><dd>b</dd></dl>', '<dl>\n<dt>a</dt>\n<dd>b</dd></dl>'],
    ['<h2>A</h2><aside><p>b</p></aside>', '## A\n\n<aside>\n\nb\n\n</aside>'],
    [
      '<p>a</p><table><tr><th>b</th></tr><tr><td><p>c</p><p>d</p></td></tr></table>',
      'a\n\n<table>\n<tbody>\n<tr><th scope="col">b</th></tr>\n<tr><td><p>c</p>\n<p>d</p></td></tr></tbody></table>',
    ],
    [
      '<ul><li><input type="checkbox" checked disabled> a</li><li><input type="checkbox"> b</li></ul>',
      '- [x] a\n- [ ] b',
    ],
    ['<ul><li>☐ a</li></ul>', '- ☐ a'],
    [
      '<div id="a"><math display="block"><annotation encoding="application/x-tex">ab^{cd} &lt; 1</annotation></math>of b</div>',
      '<div id="a"><math display="block"><semantics><mrow><mi>a</mi><msup><mi>b</mi><mrow><mi>c</mi><mi>d</mi></mrow></msup><mo>&lt;</mo><mn>1</mn></mrow><annotation encoding="application/x-tex">ab^{cd} &lt; 1</annotation></semantics></math>of b</div>',
    ],
    ['<p><input type="checkbox"> a</p>', '☐ a'],
    [
      `<table><tr><th>a</th></tr><tr><td>${'b'.repeat(40)}<p>c</p></td></tr><tr><td>${'d'.repeat(40)}</td></tr></table>`,
      `<table>\n<tbody>\n<tr><th scope="col">a</th></tr>\n<tr><td>${'b'.repeat(40)}\n<p>c</p></td></tr>\n<tr><td>${'d'.repeat(40)}</td></tr></tbody></table>`,
    ],
    [
      '<table><tr><th>a</th><th>b</th><th>c</th><th>d</th><th>e</th></tr><tr><td><p>f</p><p>g</p></td><td></td><td></td><td></td><td></td></tr></table>',
      '<table>\n<tbody>\n<tr><th scope="col">a</th><th scope="col">b</th><th scope="col">c</th><th scope="col">d</th><th scope="col">e</th></tr>\n<tr><td><p>f</p>\n<p>g</p></td><td></td><td></td><td></td><td></td></tr></tbody></table>',
    ],
  ])('writes %s', (body, markdown) => {
    expect(formOf(body)).toEqual({ kind: 'markdown', markdown, images: new Map() });
  });

  it.each([
    ['<p>a <span style="display:none">b</span></p>', 'hidden text'],
    ['<p><img src="a.png" alt=""></p>', 'images with a relative URL'],
    ['<p><img src="../a.png" alt=""></p>', 'images with a relative URL'],
    [
      `<p><img src="data:image/png;base64,${'A'.repeat(360_000)}" alt=""></p>`,
      'embedded images of more than 256 KB',
    ],
    ['<iframe src="https://example.com/form"></iframe>', 'embedded video, audio or pages'],
    ['<p>a</p><svg></svg>', 'elements that are not published'],
    [`<p>${'<b>a</b>b'.repeat(20_000)}</p>`, 'very long paragraphs'],
  ])('leaves HTML as it is where an edit would lose something (%#)', (body, reason) => {
    expect(reasonOf(body)).toBe(reason);
  });
});
