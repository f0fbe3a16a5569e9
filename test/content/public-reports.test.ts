import { expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { settings } from './settings.ts';

/** What people report of other converters, rebuilt small: where, the body, and the Markdown of it. */
const reports: readonly (readonly [report: string, body: string, markdown: string])[] = [
  [
    'vsch/flexmark-java#169',
    '<dl><dt>A</dt><dd>one</dd><dd>two</dd><dt>B</dt><dd>three</dd></dl>',
    '**A**\n\none\n\ntwo\n\n**B**\n\nthree\n',
  ],
  [
    'matthewwithanm/python-markdownify#172',
    '<dl><dt>One</dt><dd><p>First.</p></dd><dt>Two</dt><dd><p>Second.</p><pre>code</pre></dd></dl>',
    '**One**\n\nFirst.\n\n**Two**\n\nSecond.\n\n```\ncode\n```\n',
  ],
  [
    'mixmark-io/turndown#356',
    '<ul><li><div>Level 1</div><ul><li><div>Level 2</div></li></ul></li><li><div>Next</div></li></ul>',
    '- Level 1\n\n  - Level 2\n\n- Next\n',
  ],
  [
    'froala/wysiwyg-editor#2451',
    '<p>10<span style="font-size:0.6em;vertical-align:super">6</span> H<span style="vertical-align:sub">2</span>O</p>',
    '10^6 H₂O\n',
  ],
  [
    'ckeditor/ckeditor5#13301',
    '<p><span style="text-decoration-line: underline line-through;">never</span> now</p>',
    '~~never~~ now\n',
  ],
  [
    'facebook/lexical#2216',
    '<p><span style="font-style:italic;font-weight:400;text-decoration:line-through">old</span></p>',
    '*~~old~~*\n',
  ],
  [
    'tinymce/tinymce#8848',
    '<b style="font-weight:normal"><p><span style="font-weight:700">Bold</span><span style="font-weight:400"> plain</span></p></b>',
    '**Bold** plain\n',
  ],
  [
    'pchuri/confluence-cli#130',
    '<ac:structured-macro ac:name="expand"><ac:parameter ac:name="title">Show code</ac:parameter><ac:rich-text-body><ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[const x = 1;]]></ac:plain-text-body></ac:structured-macro></ac:rich-text-body></ac:structured-macro>',
    '**Show code**\n\n```\nconst x = 1;\n```\n',
  ],
  [
    'kovetskiy/mark#104',
    '<ac:structured-macro ac:name="info"><ac:rich-text-body><h3>Test</h3><p><ac:structured-macro ac:name="status"><ac:parameter ac:name="title">ACCEPTED</ac:parameter></ac:structured-macro></p></ac:rich-text-body></ac:structured-macro>',
    '> [!NOTE]\n> ## Test\n>\n> **ACCEPTED**\n',
  ],
  [
    'html-to-text/node-html-to-text#209',
    '<p>As follows:<br/><br/><table><tr><td class="v"\'>4</td><td>Bays</td></tr><tr><td>2</td><td>Signs</td></tr></table></p>',
    'As follows:\n\n|  |  |\n| --- | --- |\n| 4 | Bays |\n| 2 | Signs |\n',
  ],
  [
    'mysticmind/reversemarkdown-net#21',
    '<table><tr><th>x</th></tr><tr><td>\n<ul>\n<li>one\n<li>two\n</ul>\n</td></tr></table>',
    '| x |\n| --- |\n| - one<br>- two |\n',
  ],
  [
    'Alir3z4/html2text#171',
    '<table><tr><td>Rate<br>(50 rfu)</td><td>N</td></tr><tr><td>99%<br>Mean: 98%</td><td>4</td></tr></table>',
    '|  |  |\n| --- | --- |\n| Rate<br>(50 rfu) | N |\n| 99%<br>Mean: 98% | 4 |\n',
  ],
  [
    'dragonresearch/rpki.net#244',
    '<ol><li> foo </li></ol><p>x</p><ol start="2"><li> bar </li></ol>',
    '1. foo\n\nx\n\n2. bar\n',
  ],
  [
    'chatwoot/chatwoot#14602',
    '<p>A</p><div><iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe></div><p>B</p>',
    'A\n\n[Video (YouTube)](https://www.youtube.com/watch?v=dQw4w9WgXcQ)\n\nB\n',
  ],
  [
    'freescout-help-desk/freescout#4927',
    '<div class="note-video-wrapper"><iframe src="//player.vimeo.com/video/123" class="note-video-clip"></iframe></div>',
    '[Video (Vimeo)](https://player.vimeo.com/video/123)\n',
  ],
  [
    'xdan/jodit#1191',
    '<p class="MsoListParagraph"><span style="font-family:Symbol">\uf0b7</span><span>&nbsp;&nbsp; </span>One</p><p class="MsoListParagraph"><span style="font-family:Wingdings">\uf0a7</span><span>&nbsp;&nbsp; </span>Two</p>',
    '- One\n- Two\n',
  ],
  [
    'froala/wysiwyg-editor#3302',
    '<p style="margin-left:36.0pt;text-indent:-18.0pt"><span>●</span> <span>First</span></p><p style="margin-left:36.0pt;text-indent:-18.0pt"><span>●</span><span>Second</span></p>',
    '- First\n- Second\n',
  ],
  [
    'tinymce/tinymce#10119',
    '<p style="mso-list:l0 level1 lfo1"><span style="font-family:Wingdings"><span style="mso-list:Ignore">n<span>&nbsp;</span></span></span>Square</p>',
    '- Square\n',
  ],
  [
    'xberg-io/html-to-markdown#492',
    '<a href="https://example.com/file.pdf"><img src="/pdf.png" alt="PDF"><p>Download</p></a>',
    '[PDF](https://example.com/file.pdf)\n\n[Download](https://example.com/file.pdf)\n',
  ],
  [
    'matthewwithanm/python-markdownify#156',
    '<h5><img src="/a.png" alt="Example image"></h5><p>x</p>',
    '## Example image\n\nx\n',
  ],
  [
    'JohannesKaufmann/html-to-markdown#84',
    '<ol start=3><li>Echo foo</ol></li><pre><code>echo(1)</code></pre><ol start=4><li>Now bar</ol></li>',
    '3. Echo foo\n\n```\necho(1)\n```\n\n4. Now bar\n',
  ],
  [
    'baynezy/Html2Markdown#170',
    '<ol><li>First</li><li value = "100">Hundredth</li></ol>',
    '1. First\n\n100) Hundredth\n',
  ],
  [
    'matthewwithanm/python-markdownify#263',
    '<ol><li>a</li><li value="5">b</li><li>c</li></ol>',
    '1. a\n\n5) b\n6) c\n',
  ],
  [
    'ckeditor/ckeditor5#5970',
    '<ul><li><label class="todo-list__label"><input type="checkbox" disabled="disabled"><span>item</span></label></li></ul>',
    '- ☐ item\n',
  ],
  [
    'ckeditor/ckeditor5#15602',
    '<table><tr><td><ul class="todo-list"><li><label class="todo-list__label_without-description"><input type="checkbox" checked></label><p>Do</p></li></ul></td><td>x</td></tr></table>',
    '|  |  |\n| --- | --- |\n| - ☑ Do | x |\n',
  ],
  [
    'cojudge/cojudge#51',
    '<ul><li><p><input type="checkbox"> a</p></li><li><p><input type="checkbox" checked> b</p></li></ul>',
    '- ☐ a\n\n- ☑ b\n',
  ],
  [
    'xberg-io/html-to-markdown#233',
    '<table><tr><td colspan="2">Both</td></tr><tr><td>1</td><td>2</td></tr></table>',
    '|  |  |\n| --- | --- |\n| Both |\n| 1 | 2 |\n',
  ],
  [
    'xberg-io/html-to-markdown#486',
    '<table><tr><td><tr><td>Visible text</td></tr></td></tr></table>',
    '|  |\n| --- |\n|  |\n| Visible text |\n',
  ],
  [
    'xberg-io/html-to-markdown#478',
    '<table><tr><td><p>Sum</p><table><tr><th>Item</th><th>Amount</th></tr><tr><td>A</td><td>10</td></tr></table></td></tr></table>',
    'Sum\n\n| Item | Amount |\n| --- | --- |\n| A | 10 |\n',
  ],
  [
    'matthewwithanm/python-markdownify#121',
    '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td rowspan="2">$50</td></tr><tr><td>2</td></tr></table>',
    '| A | B |\n| --- | --- |\n| 1 | $50 |\n| 2 | $50 |\n',
  ],
  ['xberg-io/html-to-markdown#487', '<p>X <code>A<br>B</code></p>', 'X `A`  \n`B`\n'],
  [
    'matthewwithanm/python-markdownify#185',
    '<pre><span>foo\n\n\n</span><span>\n\n\nbar</span></pre>',
    '```\nfoo\n\n\n\n\n\nbar\n```\n',
  ],
  [
    'xberg-io/html-to-markdown#432',
    '<div>\n <span>First</span><br><span>Second</span>\n</div>',
    'First  \nSecond\n',
  ],
  [
    'thephpleague/html-to-markdown#245',
    '<pre><code># <span>one</span><br># two</code></pre>',
    '```\n# one\n# two\n```\n',
  ],
  ['xberg-io/html-to-markdown#491', 'Alpha<span style="white-space:pre">\n</span>13', 'Alpha 13\n'],
  [
    'firecrawl/firecrawl#2971',
    '<a href="https://example.com/a.png"><img src="https://example.com/a.png" alt="Chart"></a>',
    '[Chart](https://example.com/a.png)\n',
  ],
  [
    'markdown-confluence/markdown-confluence#264',
    '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-attribute key="panel-type">error</ac:adf-attribute><ac:adf-content><p>One</p></ac:adf-content></ac:adf-node><ac:adf-fallback><div class="panel"><p>One</p></div></ac:adf-fallback></ac:adf-extension>',
    '> [!CAUTION]\n> One\n',
  ],
];

it.each(reports)('%s: everything is in the Markdown, as it was meant', (_, body, markdown) => {
  const document = transform(body, settings({ isThorough: true }));
  expect(document.markdown).toBe(markdown);
  expect(document.problems.filter(({ code }) => code === 'CONTENT_LOST')).toEqual([]);
});
