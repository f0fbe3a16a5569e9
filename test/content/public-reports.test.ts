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
    'As follows:\n\n| 4 | Bays |\n| --- | --- |\n| 2 | Signs |\n',
  ],
  [
    'mysticmind/reversemarkdown-net#21',
    '<table><tr><th>x</th></tr><tr><td>\n<ul>\n<li>one\n<li>two\n</ul>\n</td></tr></table>',
    '| x |\n| --- |\n| - one<br>- two |\n',
  ],
  [
    'Alir3z4/html2text#171',
    '<table><tr><td>Rate<br>(50 rfu)</td><td>N</td></tr><tr><td>99%<br>Mean: 98%</td><td>4</td></tr></table>',
    '| Rate<br>(50 rfu) | N |\n| --- | --- |\n| 99%<br>Mean: 98% | 4 |\n',
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
];

it.each(reports)('%s: everything is in the Markdown, as it was meant', (_, body, markdown) => {
  const document = transform(body, settings({ isThorough: true }));
  expect(document.markdown).toBe(markdown);
  expect(document.problems.filter(({ code }) => code === 'CONTENT_LOST')).toEqual([]);
});
