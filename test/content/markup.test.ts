import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { settings } from './settings.ts';

const publish = (body: string): string => transform(body, settings()).html;

describe('markup', () => {
  it.each([
    [
      'alignment and percentages as classes',
      '<p style="text-align: center; color: red">a</p>',
      '<p class="align-center">a</p>',
    ],
    [
      'obsolete alignment as classes',
      '<center>a</center><p align="right">b</p>',
      '<div class="align-center">a</div>\n<p class="align-right">b</p>',
    ],
    [
      'list types as classes',
      '<ul style="list-style-type:square"><li>a</ul>',
      '<ul class="list-square">\n<li>a</li></ul>',
    ],
    [
      'numbering',
      '<ol start="05" type="a" reversed><li value="3">a</ol>',
      '<ol start="5" type="a" reversed>\n<li value="3">a</li></ol>',
    ],
    [
      'the numbers of list items that only hold a number',
      '<table><tr><td><ol><li><br></li></ol></td><td>a</td></tr><tr><td><ol start="2"><li></li></ol></td><td>b</td></tr></table><ol start="7"><li> </li></ol>',
      '<div class="table-scroll" role="region" tabindex="0" aria-label="1., a"><table>\n<tbody>\n<tr><td>1.</td><td>a</td></tr>\n<tr><td>2.</td><td>b</td></tr></tbody></table></div>7.',
    ],
    ['no empty list', '<ol><li></li></ol><p>a</p>', '<p>a</p>'],
    [
      'language and direction',
      '<p lang="ar" dir="rtl">a <span lang="xx">b</span></p>',
      '<p lang="ar" dir="rtl">a b</p>',
    ],
    [
      'obsolete elements by their successors',
      '<tt>a</tt><strike>b</strike><acronym title="c">d</acronym>',
      '<code>a</code><s>b</s><abbr title="c">d</abbr>',
    ],
    ['the text of a result', '<p>a <output>b</output> c</p>', '<p>a b c</p>'],
    [
      'checklists',
      '<ul><li><input type=checkbox checked> a<li><label><input type=checkbox> b</label></ul>',
      '<ul>\n<li>☑ a</li>\n<li>☐ b</li></ul>',
    ],
    ['one line break between texts', '<p><br>a<br><br><br>b<br></p>', '<p>a<br><br>b</p>'],
    [
      'items in lists',
      'x<li>a</li><ul>b<ul><li>c</ul></ul>',
      'x\n<ul>\n<li>a</li></ul>\n<ul>\n<li>b\n<ul>\n<li>c</li></ul></li></ul>',
    ],
    [
      'terms with descriptions',
      '<dl><dt>a<dd>b</dl><dl><dt>c</dl>',
      '<dl>\n<dt>a</dt>\n<dd>b</dd></dl>\n<div><p>c</p></div>',
    ],
    [
      'a caption at the edge of a figure',
      '<figure>a<figcaption>b</figcaption>c</figure>',
      '<figure>a c\n<figcaption>b</figcaption></figure>',
    ],
    [
      'texts whose style or font has the name of a property of every object',
      '<p style="text-align:constructor">a<span style="vertical-align:constructor">b</span><font face="constructor">c</font></p>',
      '<p>abc</p>',
    ],
    ['placeholders as text', '<p>{{ user }} {% if %}</p>', '<p>{{ user }} {% if %}</p>'],
    [
      'special characters escaped',
      '<p>&lt;b&gt; &amp;amp; "&nbsp;"</p>',
      '<p>&lt;b&gt; &amp;amp; "&nbsp;"</p>',
    ],
  ])('keeps %s', (_what, body, html) => {
    expect(publish(body)).toBe(html);
  });

  it.each([
    ['<div style="white-space: pre-wrap">\nOne\ntwo\n\n<b>three</b>\n</div>', 'One  \ntwo  \n**three**\n'],
    [
      '<p style="white-space:pre-line">a\nb<span style="white-space:normal">c\nd</span>\ne</p>',
      'a  \nbc d  \ne\n',
    ],
    ['<ul style="white-space:break-spaces">\n<li>a\nb</li>\n</ul><p>c\nd</p>', '- a  \n  b\n\nc d\n'],
    ['<p style="white-space:nowrap">a\nb</p>', 'a b\n'],
    ['<p>a <code style="white-space:pre">b\nc</code></p>', 'a `b`  \n`c`\n'],
  ])('keeps lines that a style keeps: %j', (body, expected) => {
    const { markdown, problems } = transform(body, settings({ isThorough: true }));
    expect(markdown).toBe(expected);
    expect(problems).toEqual([]);
  });

  it('keeps class names the user asks for, and no others', () => {
    const policy = { iframeHosts: [], classes: ['price'], callouts: {} };
    expect(
      transform(
        '<span class="price x">1</span><b class="y">2</b><a class="x price" href="#">3</a>',
        settings({ policy }),
      ).html,
    ).toBe('<span class="price">1</span><b>2</b>3');
    expect(transform('<a class="x price" href="/y">3</a>', settings({ policy })).html).toContain(
      ' class="price">3</a>',
    );
  });

  it('reports elements it cannot publish, once each', () => {
    const { problems } = transform(
      '<noscript>a</noscript><object></object><object></object><svg></svg><input value=c><ann@x.example><https://x.example/a><your name><g class=x><time><select></select><template>b</template><script></script>',
      settings(),
    );
    expect(problems.map(({ message }) => message)).toEqual([
      '<noscript> is not allowed. It was removed.',
      '<object> is not allowed. It was removed.',
      '<svg> is not allowed. It was removed.',
      '<input> is not allowed. It was removed.',
      '<ann@x.example> is not allowed. It was removed.',
      '<https:> is not allowed. It was removed.',
      '<your> is not allowed. It was removed.',
      '<select> is not allowed. It was removed.',
      '<template> is not allowed. It was removed.',
    ]);
  });

  it('reports links that are parts of an image', () => {
    const { markdown, problems } = transform(
      '<p><img src="/m.png" alt="Map" usemap="#m"><map name="m"><area href="/north" alt="North"></map> of all shops</p>',
      settings(),
    );
    expect(markdown).toBe('Map of all shops\n');
    expect(problems.map(({ message }) => message)).toEqual(['<area> is not allowed. It was removed.']);
  });

  it('flattens deep nesting and reports it', () => {
    const { html, problems } = transform(`${'<div>'.repeat(400)}deep`, settings());
    expect(html.match(/<div>/g)).toHaveLength(256);
    expect(problems.map(({ code }) => code)).toEqual(['TEXT_TOO_COMPLEX']);
  });
});

describe('code blocks', () => {
  it('keep every byte, in the page and in Markdown', () => {
    const code = '\n  if (a < b && c) {\n\treturn `x`;   \n\n  }\n';
    const escaped = code.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const { html, markdown } = transform(`<pre><code>${escaped}</code></pre>`, settings());
    expect(html).toBe(`<pre tabindex="0"><code>${escaped}</code></pre>`);
    expect(markdown).toBe(`\`\`\`\n${code}\`\`\`\n`);
  });

  it('in a known language are highlighted with classes; the language stays named', () => {
    expect(publish('<pre><code class="hljs language-js">const a = "&lt;";</code></pre>')).toBe(
      '<pre tabindex="0"><code class="language-js"><span class="hljs-keyword">const</span> a = <span class="hljs-string">&quot;&lt;&quot;</span>;</code></pre>',
    );
    expect(publish('<pre data-language="Klingon">a</pre>')).toBe(
      '<pre tabindex="0"><code class="language-klingon">a</code></pre>',
    );
  });

  it('are highlighted alike whatever was highlighted before', () => {
    const body = '<pre><code class="language-html">&lt;script>let a = 1&lt;/script></code></pre>';
    const first = publish(body);
    publish('<pre><code class="language-php">&lt;?php $a = 1; ?></code></pre>');
    expect(publish(body)).toBe(first);
    expect(first).toContain('<span class="hljs-keyword">let</span>');
  });

  it('have the line ends of Markdown, also those that an author wrote as a reference', () => {
    const body = '<blockquote><pre>a&#13;&#10;b&#13;c\r\nd</pre></blockquote>';
    const { html, markdown, text } = transform(body, settings());
    expect(html).toContain('<code>a\nb\nc\nd</code>');
    expect(markdown).toBe('> ```\n> a\n> b\n> c\n> d\n> ```\n');
    expect(text).toBe('a\nb\nc\nd');
  });

  it('get a fence longer than the backticks in them', () => {
    expect(transform('<pre>a\n````\nb</pre>', settings()).markdown).toBe('`````\na\n````\nb\n`````\n');
  });
});
