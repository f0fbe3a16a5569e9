import { fc } from '../support/properties.ts';
import { payloads } from './payloads.ts';

const tags =
  'p div span strong em b i a code pre ul ol li dl dt dd table caption thead tbody tfoot tr td th h1 h2 h3 h4 h5 h6 blockquote ' +
  'details summary figure figcaption section article aside header main center font u s del ins sub sup kbd mark q abbr small ' +
  'script style template noscript svg math iframe object form button input select option label textarea title base body html ' +
  'br wbr hr img video audio source nobr marquee webview x-y ruby rt bdo menu dir listing xmp ' +
  'oembed lite-youtube wistia-player ac:structured-macro ac:rich-text-body ac:plain-text-body ac:link ac:image ri:url ac:task ac:task-list';

const attributes = [
  'id="a"',
  'id="b c"',
  'name=x',
  'class="callout callout-warning"',
  'class="alert alert-info"',
  'class="table-scroll"',
  'class="callout"',
  'class="align-center width-50"',
  'style="display:none"',
  'style="text-align:right;width:50%"',
  'style="font-weight:700;font-style:italic"',
  'style="text-decoration:line-through;font-weight:normal"',
  'style="width:24px;height:12px;background:#fc0"',
  'hidden',
  'href="/article/x"',
  'href="http://[::1]:3000/a"',
  'href="#a"',
  'href="javascript:x"',
  'href="https://x.test/a_b(c)?d=e&amp;f#g"',
  'href="mailto:a@b.c"',
  'src="/a.png"',
  'src="data:image/png;base64,AAAA"',
  'src="https://www.youtube.com/embed/x"',
  'alt="a|b]"',
  'width=50%',
  'height=10',
  'colspan=2',
  'rowspan=3',
  'colspan=0',
  'rowspan=0',
  'start=5',
  'type=a',
  'value=3',
  'lang=de',
  'dir=rtl',
  'align=center',
  'onclick=trip()',
  'aria-controls=a',
  'aria-expanded=false',
  'role=tabpanel',
  'role=tablist',
  'aria-labelledby=b',
  'open',
  'type=checkbox',
  'checked',
  'target=_blank',
  'title="t"',
  'controls',
  'autoplay',
  'poster=/p.png',
  'data-toggle=collapse',
  'style="mso-list:l0 level1 lfo1"',
  'style="mso-list:l0 level3 lfo1"',
  'style="mso-list:Ignore"',
  'class="MsoListParagraph"',
  'data-list=bullet',
  'data-list=ordered',
  'data-list=checked',
  'class="ql-indent-2"',
  'class="ql-ui"',
  'class="ql-code-block-container"',
  'class="ql-code-block"',
  'class="fr-img-caption"',
  'class="fr-inner"',
  'class="fr-dib"',
  'class="expand-control"',
  'class="expand-content"',
  'class="wistia_async_abc"',
  'data-oembed-url="https://youtu.be/x"',
  'url="https://www.youtube.com/watch?v=x"',
  'url="https://x.test/a"',
  'videoid=x',
  'data-checked=true',
  'ac:name=code',
  'ac:name=expand',
  'ac:name=status',
  'ri:value="/a.png"',
];

const words = [
  'a',
  'word',
  'two words',
  ' ',
  '  \n ',
  '&nbsp;',
  '&amp;',
  '&lt;b>',
  '<',
  '*',
  '**',
  '_',
  '`',
  '``',
  '~',
  '[x]',
  '](y)',
  '!',
  '|',
  '\\',
  '\\|',
  '# ',
  '- ',
  '1. ',
  '> ',
  '+',
  '=== ',
  '---',
  ':--',
  'https://x.test/a_b',
  'http://[::1]:3000/',
  'www.x.test',
  'a@b.test',
  '&copy;',
  '&#8203;',
  '\u200d',
  '\u202e',
  '“',
  '。',
  '强调',
  '😀',
  '👩\u200d💻',
  'می\u200cخواهم',
  '[!NOTE] ',
  '☐ ',
  '\t',
  '\u00a0',
  '{{x}}',
  '{% y %}',
  'snake_case',
  '&amp;lt;',
  '\u0000',
  '\u3000',
  '[!TIP]',
  '[!Caution]<br>',
  '[^1]',
  '[^1]: ',
  '[x]: /y',
  '[ ] ',
  '[X] ',
  '[',
  ']',
  '(',
  ')',
  '|-',
  '-|-',
  ' | ',
  '&lt;!-- ',
  '--&gt;',
  '&lt;br&gt;',
  '&lt;div&gt;',
  '&lt;/p&gt;',
  '&lt;?x',
  '&lt;https://x.test/&gt;',
  '&lt;a@b.test&gt;',
  '`x`',
  '```',
  '``` js',
  '~~~',
  '~~',
  '***',
  '__',
  '_x_',
  '*x*',
  '-',
  '=',
  '#',
  ' ##',
  '* ',
  '+ ',
  '1) ',
  '0123456789. ',
  '- - -',
  '    ',
  '\\*',
  '\\\n',
  '&amp;copy;',
  '<![CDATA[a<b]]>',
  '&amp;#42;',
  '&amp;copy',
  '&#42;',
  'http://x.test',
  'ftp://x.test',
  'HTTPS://X.test)',
  'WWW.x.test',
  'mailto:a@b.test',
  'xmpp:a@b.test',
  '@',
  '.',
  ':',
  '"',
  "'",
  '\u2028',
  '\u2067',
  '\u200f',
  'שלום',
  'العربية',
  '\u0301',
  '\ufeff',
  '\ue000',
  '\ud83d',
];

const word = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
);

const tag = fc
  .tuple(fc.constantFrom(...tags.split(' ')), fc.array(fc.constantFrom(...attributes), { maxLength: 3 }))
  .map(([name, list]) => `<${[name, ...list].join(' ')}>`);

const endTag = fc.constantFrom(...tags.split(' ')).map((name) => `</${name}>`);

/** Properly nested elements. */
const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  content: fc
    .array(fc.oneof({ maxDepth: 6 }, word, tie('element')), { maxLength: 5 })
    .map((parts) => parts.join('')),
  element: fc
    .tuple(
      fc.constantFrom(...tags.split(' ')),
      fc.array(fc.constantFrom(...attributes), { maxLength: 2 }),
      tie('content'),
    )
    .map(([name, list, content]) => `<${[name, ...list].join(' ')}>${content}</${name}>`),
}));

/** Bodies as authors, editors and attackers might make them: nested elements, loose tags, odd words, known attacks. */
export const arbitraryBody: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: element },
      { weight: 4, arbitrary: word },
      { weight: 2, arbitrary: tag },
      { weight: 1, arbitrary: endTag },
      { weight: 1, arbitrary: fc.constantFrom(...payloads) },
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const inlineTags = 'a b code del em i img q s span strong sub u wbr'.split(' ');

const hosts = [
  ['<p>', '</p>'],
  ['<h3>', '</h3>'],
  ['<ul><li>', '</ul>'],
  ['<ol start=7><li>x<li><p>', '</ol>'],
  ['<ul><li>x<ol><li>', '</ul>'],
  ['<blockquote>', '</blockquote>'],
  ['<div class="callout">', '</div>'],
  ['<table><tr><th>', '<td>x</table>'],
  ['<table><tr><td>x<tr><td><ul><li>y<li>', '</table>'],
  ['<dl><dt>', '<dd>x</dl>'],
  ['<details><summary>', '</summary>x</details>'],
  ['<pre>', '</pre>'],
  ['', '<pre>x</pre>'],
  ['x', '<hr>'],
] as const;

/** Running text full of what Markdown could take for syntax, with formatting around pieces of it, in one kind of block. */
const { text: runningText } = fc.letrec<{ text: string; marked: string }>((tie) => ({
  text: fc
    .array(
      fc.oneof(
        { maxDepth: 4 },
        { weight: 6, arbitrary: word },
        { weight: 1, arbitrary: fc.constant('<br>') },
        { weight: 2, arbitrary: tie('marked') },
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join('')),
  marked: fc.tuple(fc.constantFrom(...inlineTags), tie('text')).map(([name, inner]) => {
    const attribute = name === 'a' ? ' href=/x' : name === 'img' ? ' src=/a.png alt=a' : '';
    return `<${name}${attribute}>${inner}${name === 'img' || name === 'wbr' ? '' : `</${name}>`}`;
  }),
}));

/** Blocks of running text; what goes wrong between text and Markdown goes wrong here first. */
export const arbitraryText: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom(...hosts), runningText), { minLength: 1, maxLength: 3 })
  .map((blocks) => blocks.map(([[before, after], text]) => before + text + after).join(''));
