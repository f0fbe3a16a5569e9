import { describe, expect, it } from 'vitest';
import { editorRules } from '../../src/content/editors/rewrite-editors.ts';
import { transform } from '../../src/content/transform.ts';
import { compareMarkdown } from './parity.ts';
import { findViolations } from './policy.ts';
import { settings } from './settings.ts';

const policy = {
  iframeHosts: ['youtube-nocookie.com', 'player.vimeo.com', 'loom.com'],
  classes: [],
  callouts: {},
};

function markdown(body: string): string {
  const document = transform(body, settings({ policy }));
  expect(compareMarkdown(document)).toEqual([]);
  expect(transform(document.html, settings({ policy })).html).toBe(document.html);
  return document.markdown.trimEnd();
}

/** An item as Word writes it; the font draws `marker` as a bullet. */
function wordItem(text: string, marker: string, level: number, kind = 'Middle'): string {
  return (
    `<p class="MsoListParagraphCxSp${kind}" style="margin-left:${level * 36}.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1">` +
    `<!--[if !supportLists]--><span style="font-family:Symbol"><span style="mso-list:Ignore">${marker}<span style="font:7.0pt &quot;Times New Roman&quot;">` +
    `&nbsp;&nbsp;&nbsp; </span></span></span><!--[endif]-->${text}<o:p></o:p></p>`
  );
}

describe('lists of Word', () => {
  it.each([
    [
      'bullets of three fonts',
      [
        ['a', '·', 1],
        ['b', 'o', 2],
        ['c', '§', 3],
        ['d', '·', 1],
      ],
      '- a\n  - b\n    - c\n- d',
    ],
    [
      'numbers',
      [
        ['a', '1.', 1],
        ['b', '2.', 1],
      ],
      '1. a\n2. b',
    ],
    [
      'numbers that go on after a paragraph',
      [
        ['a', '3.', 1],
        ['b', '4.', 1],
      ],
      '3. a\n4. b',
    ],
    [
      'letters and numerals',
      [
        ['a', '1)', 1],
        ['b', 'a)', 2],
        ['c', 'b)', 2],
        ['d', 'ii.', 3],
      ],
      '1. a\n   - a. b\n   - b. c\n     - ii. d',
    ],
    [
      'numbers of several levels',
      [
        ['a', '1.', 1],
        ['b', '1.1.', 2],
        ['c', '1.2.', 2],
        ['d', '2.', 1],
      ],
      '1. a\n   1. b\n   2. c\n2. d',
    ],
    [
      'a list that begins at the second level',
      [
        ['a', '·', 2],
        ['b', '·', 1],
      ],
      '- a\n\n* b',
    ],
    [
      'a kind that changes',
      [
        ['a', '·', 1],
        ['b', '1.', 1],
      ],
      '- a\n\n1. b',
    ],
  ] as const)('%s', (_what, items, expected) => {
    expect(markdown(items.map(([text, marker, level]) => wordItem(text, marker, level)).join('\n'))).toBe(
      expected,
    );
  });

  it('without mso-list are known by their class, marker and indent', () => {
    const item = (text: string, margin: number) =>
      `<p class="MsoListParagraph" style="margin-left:${margin}pt">${text}</p>`;
    expect(
      markdown(item('·&nbsp;&nbsp;&nbsp; a', 36) + item('o&nbsp;&nbsp; b', 72) + item('No item', 36)),
    ).toBe('- a\n  - b\n\nNo item');
  });

  it.each([
    '·<span style="font:7.0pt">&nbsp;&nbsp;&nbsp;&nbsp; </span>',
    '<span style="font-family:Symbol">·<span style="font:7.0pt">&nbsp;&nbsp;&nbsp; </span></span>',
    '<span style="font-family:Symbol">·</span><span>&nbsp;&nbsp;</span> ',
  ])('have the letter of a bullet in elements of their own, and indents in inches: %s', (bullet) => {
    const item = (text: string, style: string) =>
      `<p class="MsoListParagraphCxSpMiddle" style="${style}">${bullet}${text}</p>`;
    expect(
      markdown(item('<b>a</b> b', 'text-indent:-.25in') + item('c', 'margin-left:1.0in;text-indent:-.25in')),
    ).toBe('- **a** b\n  - c');
  });

  it('may be paragraphs of text whose first line hangs', () => {
    const item = (text: string) =>
      `<p class="MsoNormal" style="margin-left:.5in;text-indent:-.25in">${text}</p>`;
    expect(
      markdown(
        `${item('<span style="font-family:Symbol">·<span style="font:7.0pt">&nbsp;&nbsp;&nbsp; </span></span>a')}${item('·&nbsp;&nbsp; b')}${item('A term')}<p class="MsoNormal">1.&nbsp;&nbsp; c</p>`,
      ),
    ).toBe('- a\n- b\n\nA term\n\n1\\. c');
  });

  it('do not take a short word for a marker', () => {
    expect(markdown('<p class="MsoListParagraph"><b>No.</b>&nbsp; two</p>')).toBe('**No.** two');
    expect(markdown('<p class="MsoListParagraph">xiv.&nbsp;&nbsp; two</p>')).toBe('- xiv. two');
  });

  it('keep what is hidden hidden, and a link that looks like a marker', () => {
    const item = (content: string, more = '') => `<p class="MsoListParagraph"${more}>${content}</p>`;
    const bullet = '<span>·</span><span>&nbsp;&nbsp;</span>';
    expect(markdown(item(`${bullet}a`) + item(`${bullet}b`, ' hidden'))).toBe('- a');
    expect(markdown(item('<a href="https://x.example/">1.</a>&nbsp;&nbsp; a'))).toBe(
      '[1.](https://x.example/) a',
    );
  });

  it('keep marks and links in their items', () => {
    expect(markdown(wordItem('<b>a</b> <a href="https://x.example/">b</a>', '·', 1))).toBe(
      '- **a** [b](https://x.example/)',
    );
  });
});

describe('lists of Google Docs', () => {
  const list = (tag: string, level: number, content: string, more = '') =>
    `<${tag} class="c1 lst-kix_k3a-${level}${more}><li class="c2 li-bullet-0">${content}</li></${tag}>`;

  it.each([
    [
      'bullets of two levels',
      list('ul', 0, 'a', ' start"') +
        list('ul', 1, 'b', ' start"') +
        list('ul', 2, 'c', '"') +
        list('ul', 0, 'd</li><li>e', '"'),
      '- a\n  - b\n    - c\n- d\n- e',
    ],
    [
      'numbers that go on',
      list('ol', 0, 'a', '" start="1"') + list('ul', 1, 'b', '"') + list('ol', 0, 'c', '" start="2"'),
      '1. a\n   - b\n2. c',
    ],
    ['one list', list('ol', 0, 'a', '" start="3"'), '3. a'],
    ['two lists', `${list('ul', 0, 'a', '"')}<ul class="lst-kix_other-1"><li>b</li></ul>`, '- a\n\n* b'],
    ['a hidden item', list('ul', 0, 'a</li><li hidden>b', '"') + list('ul', 1, 'c', '"'), '- a\n\n* c'],
    ['a hidden list', list('ul', 0, 'a', '"') + list('ul', 1, 'b', '" style="display:none"'), '- a'],
  ])('are nested by the levels in their classes: %s', (_what, body, expected) => {
    expect(markdown(body)).toBe(expected);
  });

  it('keep their direction, language and numbering, and are targets of links', () => {
    const body = `<p><a href="#x">x</a></p>${list('ol', 0, 'a', '" id="x" dir="rtl" type="A"')} ${list('ul', 1, 'b', '" lang="he"')}`;
    expect(transform(body, settings({ policy })).html).toContain(
      '<ol dir="rtl" type="A">\n<li id="x">a\n<ul lang="he">\n<li>b',
    );
  });
});

describe('lists of which each item is a list', () => {
  const notion = (kind: string, id: string, content: string, more = '') => {
    const tag = kind === 'numbered' ? 'ol type="1"' : 'ul';
    return `<${tag} id="${id}" class="${kind}-list"${more}><li>${content}</li></${tag.slice(0, 2)}>`;
  };
  const word = (tag: string, level: number, text: string, more = '') =>
    `<div class="ListContainerWrapper BCX0"><${tag} role="list"${more}><li role="listitem" data-aria-level="${level}"><p>${text}</p></li></${tag}></div>`;

  it.each([
    [
      'Notion',
      notion('bulleted', 'a', 'a') +
        notion('bulleted', 'b', `b${notion('bulleted', 'c', 'c')}${notion('bulleted', 'd', 'd')}`),
      '- a\n- b\n  - c\n  - d',
    ],
    [
      'Notion, with numbers',
      `${notion('numbered', 'a', 'a', ' start="1"')}${notion('numbered', 'b', 'b', ' start="2"')}<p>c</p>${notion('numbered', 'd', 'd', ' start="3"')}`,
      '1. a\n2. b\n\nc\n\n3. d',
    ],
    [
      'Notion, with numbers that begin again',
      notion('numbered', 'a', 'a', ' start="1"') + notion('numbered', 'b', 'b', ' start="1"'),
      '1. a\n\n1) b',
    ],
    ['two of Notion', notion('bulleted', 'a', 'a') + notion('to-do', 'b', 'b'), '- a\n\n* b'],
    [
      'Word for the web',
      word('ul', 1, 'a') +
        word('ul', 2, 'b') +
        word('ol', 1, 'c', ' start="1"') +
        word('ol', 1, 'd', ' start="2"'),
      '- a\n\n  - b\n\n1. c\n\n2. d',
    ],
  ])('are joined: %s', (_editor, body, expected) => {
    expect(markdown(body)).toBe(expected);
    expect(transform(body, settings({ isThorough: true })).problems).toEqual([]);
  });
});

it('joins lists without the loss of ids, numbers and styles', () => {
  const html = (body: string) => transform(body, settings({ isThorough: true })).html.replaceAll('\n', '');
  expect(
    html(
      '<ul id="a" class="bulleted-list"><li>a</li></ul><ul id="b" class="bulleted-list"><li id="c">b</li></ul>',
    ),
  ).toBe('<ul><li id="a">a</li><li id="c"><span id="b"></span>b</li></ul>');
  expect(html('<ul id="a" class="bulleted-list"><li>a</li></ul>')).toBe('<ul id="a"><li>a</li></ul>');
  expect(
    html(
      '<ol class="numbered-list"><li value="3">a</li></ol><ol class="numbered-list"><li value="7">b</li></ol>',
    ),
  ).toBe('<ol><li value="3">a</li><li value="7">b</li></ol>');
  expect(
    html(
      '<ol class="lst-kix_a-0" style="list-style-type:lower-alpha"><li>a</li></ol><ul class="lst-kix_a-1"><li>b</li></ul><ol class="lst-kix_a-0"><li>c</li></ol>',
    ),
  ).toBe('<ol class="list-lower-alpha"><li>a<ul><li>b</li></ul></li><li>c</li></ol>');
});

it('does not join lists of several items with a class like that of Notion', () => {
  const list = '<ul class="bulleted-list"><li>a</li><li>b</li></ul>';
  expect(markdown(list + list)).toBe('- a\n- b\n\n* a\n* b');
});

it.each([
  '<p style="mso-list:l0 level1 lfo1">1.&nbsp;&nbsp; a</p><p style="display:none;mso-list:l0 level1 lfo1">2.&nbsp;&nbsp; Secret</p>',
  '<ol><li data-list="ordered" hidden>Secret</li><li data-list="ordered">a</li></ol>',
  '<ul class="lst-kix_a-0" style="display:none"><li>Secret</li></ul><ol class="lst-kix_a-0"><li>a</li></ol>',
])('hides the items of lists of editors that their authors hid: %s', (body) => {
  const { markdown, problems } = transform(body, settings({ isThorough: true }));
  expect(markdown).toBe('1. a\n');
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^hidden text was removed: "(?:[12]\. )?Secret"$/),
  ]);
});

it.each([
  '<span class="math-tex" style="display:none">\\(Secret\\)</span>',
  '<span class="katex" hidden><math><mi>Secret</mi></math></span>',
  '<pre class="ql-code-block-container" hidden>Secret</pre>',
  '<lite-youtube videoid="abc" hidden>Secret</lite-youtube>',
  '<div class="accordion-title" hidden>Secret</div><div class="accordion-content"></div>',
])('hides what an editor writes and its author hid: %s', (body) => {
  const { html, problems } = transform(`<p>a</p>${body}`, settings({ isThorough: true }));
  expect(html.trim()).toBe('<p>a</p>');
  expect(problems.filter(({ code }) => code !== 'HIDDEN_TEXT')).toEqual([]);
});

it('keeps the direction and the alignment of items of lists of Word and Quill', () => {
  const { html } = transform(
    '<ol><li data-list="bullet" class="ql-direction-rtl ql-align-right">a</li></ol><p style="text-align:right;mso-list:l0 level1 lfo1" dir="rtl">·&nbsp; b</p>',
    settings(),
  );
  expect(html.match(/<li dir="rtl" class="align-right">/g)).toHaveLength(2);
});

const quillItem = (text: string, list: string, level = 0) =>
  `<li data-list="${list}"${level > 0 ? ` class="ql-indent-${level}"` : ''}><span class="ql-ui" contenteditable="false"></span>${text}</li>`;

describe('Quill', () => {
  it.each([
    [
      'bullets and numbers in one list',
      `<ol>${quillItem('a', 'bullet')}${quillItem('b', 'bullet', 1)}${quillItem('c', 'ordered')}</ol>`,
      '- a\n  - b\n\n1. c',
    ],
    [
      'numbers that go on below bullets',
      `<ol>${quillItem('a', 'ordered')}${quillItem('b', 'bullet', 1)}${quillItem('c', 'ordered')}</ol>`,
      '1. a\n   - b\n2. c',
    ],
    ['tasks', `<ol>${quillItem('a', 'checked')}${quillItem('b', 'unchecked')}</ol>`, '- ☑ a\n- ☐ b'],
    [
      'tasks of Quill 1',
      '<ul data-checked="true"><li>a</li></ul><ul data-checked="false"><li>b</li></ul>',
      '- ☑ a\n- ☐ b',
    ],
    [
      'levels of Quill 1',
      '<ol><li>a</li><li class="ql-indent-1">b</li><li>c</li></ol>',
      '1. a\n   1. b\n2. c',
    ],
    [
      'code',
      '<div class="ql-code-block-container" spellcheck="false"><select class="ql-ui"><option>Bash</option></select><div class="ql-code-block" data-language="bash">a</div><div class="ql-code-block" data-language="bash">  b</div></div>',
      '```bash\na\n  b\n```',
    ],
    ['letters of CKEditor', '<ol style="list-style-type:lower-latin"><li>a</li></ol>', '- a. a'],
    ['a plain list', '<ol><li>a</li><li>b</li></ol>', '1. a\n2. b'],
  ])('%s', (_what, body, expected) => {
    expect(markdown(body)).toBe(expected);
  });

  it('has formulas', () => {
    const { markdown } = transform(
      '<p>x <span class="ql-formula" data-value="a^2">junk</span></p>',
      settings(),
    );
    expect(markdown).toBe('x $a^2$\n');
  });

  it.each(['ql', 'intercom', 'wysiwyg-text', 'has-text'])(
    'and others align by a class: %s-align-…',
    (editor) => {
      const body = `<h2 class="x ${editor}-align-center">a</h2><td class="${editor}-align-middle">b`;
      expect(transform(body, settings()).html).toContain('<h2 id="a" class="align-center">a</h2>');
    },
  );

  it('keeps indents and alignment as classes', () => {
    expect(
      transform('<p class="ql-indent-2 ql-align-center">a</p><p class="ql-direction-rtl">b</p>', settings())
        .html,
    ).toBe('<p class="indent-2 align-center">a</p>\n<p dir="rtl">b</p>');
  });
});

describe('other tasks', () => {
  it.each([
    ['TinyMCE', '<ul class="tox-checklist"><li class="tox-checklist--checked">a</li><li>b</li></ul>'],
    [
      'Tiptap',
      '<ul data-type="taskList"><li data-checked="true"><div><p>a</p></div></li><li data-checked="false">b</li></ul>',
    ],
    [
      'CKEditor 5',
      '<ul class="todo-list"><li><label class="todo-list__label"><input type="checkbox" disabled="disabled" checked="checked"><span class="todo-list__label__description">a</span></label></li><li><label><input type="checkbox" disabled="disabled"><span>b</span></label></li></ul>',
    ],
    [
      'CKEditor 5, paragraphs',
      '<ul class="todo-list"><li><label class="todo-list__label todo-list__label_without-description"><input type="checkbox" checked="checked"></label><p>a</p></li><li><label class="todo-list__label_without-description"><input type="checkbox"></label>b</li></ul>',
    ],
    [
      'Confluence',
      '<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>a</ac:task-body></ac:task><ac:task><ac:task-id>2</ac:task-id><ac:task-status>incomplete</ac:task-status><ac:task-body><span>b</span></ac:task-body></ac:task></ac:task-list>',
    ],
    [
      'Tiptap, with boxes',
      '<ul data-type="taskList"><li data-checked="true"><label contenteditable="false"><input type="checkbox" checked="checked"><span></span></label><div><p>a</p></div></li><li data-checked="false"><label>\n<input type="checkbox"></label><div><p>b</p></div></li></ul>',
    ],
    [
      'Confluence, on its pages',
      '<ul class="inline-task-list"><li class="checked" data-inline-task-id="1"><span>a</span></li><li data-inline-task-id="2">b</li></ul>',
    ],
    [
      'Notion',
      '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>a</span></li><li><div class="checkbox checkbox-off"></div> <span>b</span></li></ul>',
    ],
    [
      'Lexical',
      '<ul><li role="checkbox" tabindex="-1" aria-checked="true" value="1"><span>a</span></li><li role="checkbox" aria-checked="false" value="2">b</li></ul>',
    ],
    [
      'boxes with the text',
      '<ul><li role="checkbox" aria-checked="true"><span aria-roledescription="checkbox">a</span></li><li aria-checked="false">b</li></ul>',
    ],
    [
      'two attributes',
      '<ul><li data-checked="true" aria-checked="true">a</li><li data-checked="false" aria-checked="false">b</li></ul>',
    ],
    [
      'Google Docs',
      `<ul>${['checked', 'unchecked'].map((state, at) => `<li role="checkbox" aria-checked="${state === 'checked'}"><img src="data:image/png;base64,iVBORw0KGgo=" alt="${state}" aria-roledescription="checkbox">\n<p role="presentation">${'ab'[at]}</p></li>`).join('')}</ul>`,
    ],
  ])('of %s have their state', (_editor, body) => {
    expect(markdown(body).replace(/\n+/g, '\n')).toMatch(/^- ☑ a\n- ☐ b$/);
  });

  it('have a state of their own if there are tasks below them', () => {
    const task = (text: string, state: string, below = '') =>
      `<li><label class="todo-list__label_without-description"><input type="checkbox"${state}></label><p>${text}</p>${below}</li>`;
    expect(markdown(`<ul>${task('a', ' checked', `<ul>${task('b', '')}</ul>`)}</ul>`)).toBe(
      '- ☑ a\n\n  - ☐ b',
    );
  });

  it.each([
    '<ul class="x"><li><label><input type="radio" checked></label>a</li></ul>',
    '<ul><li><div class="checkbox-list"></div>a</li></ul>',
  ])('are not made of other fields: %s', (body) => {
    expect(markdown(body)).toBe('- a');
  });
});

const youTube = 'https://www.youtube.com/watch?v=abcdefghijk';

describe('players', () => {
  it.each([
    [
      'CKEditor 5',
      '<figure class="media"><oembed url="https://www.youtube.com/watch?v=abcdefghijk&amp;t=9s"></oembed></figure>',
      youTube,
    ],
    [
      'CKEditor 5, short address',
      '<figure class="media"><oembed url="https://youtu.be/abcdefghijk"></oembed></figure>',
      youTube,
    ],
    ['CKEditor 5, no scheme', '<oembed url="//www.youtube.com/shorts/abcdefghijk"></oembed>', youTube],
    [
      'CKEditor 5, Vimeo',
      '<oembed url="https://vimeo.com/12345/abcd"></oembed>',
      'https://player.vimeo.com/video/12345?h=abcd',
    ],
    [
      'CKEditor 5, Loom',
      '<oembed url="https://www.loom.com/share/0a1b2c"></oembed>',
      'https://www.loom.com/embed/0a1b2c',
    ],
    ['Iframely', `<div><a href="${youTube}" data-iframely-url="https://iframely.net/x"></a></div>`, youTube],
    [
      'Iframely, of another site',
      '<p><a href="https://x.example/" data-iframely-url="//cdn.iframe.ly/x"></a></p>',
      'https://x.example/',
    ],
    ['CKEditor 5, semantic preview', '<div data-oembed-url="https://youtu.be/abcdefghijk"></div>', youTube],
    ['lite-youtube', '<lite-youtube videoid="abcdefghijk"></lite-youtube>', youTube],
    [
      'lite-youtube with a link',
      `<lite-youtube videoid="abcdefghijk"><a href="${youTube}">Play</a></lite-youtube>`,
      youTube,
    ],
    ['lite-youtube of others', '<lite-youtube video-id="abcdefghijk"></lite-youtube>', youTube],
    [
      'Video.js',
      '<video controls><source src="https://youtu.be/abcdefghijk" type="video/youtube">Your browser is too old.</video>',
      youTube,
    ],
    [
      'GitHub Gist',
      '<script src="https://gist.github.com/octo/abc123.js?file=a.sh">alert(1)</script>',
      'https://gist.github.com/octo/abc123',
    ],
    [
      'Typeform',
      '<div class="typeform-widget" data-url="https://a.typeform.com/to/abc" style="width:100%"></div>',
      'https://a.typeform.com/to/abc',
    ],
    [
      'Calendly',
      '<div class="calendly-inline-widget" data-url="https://calendly.com/acme/call" style="height:700px"></div>',
      'https://calendly.com/acme/call',
    ],
    [
      'Cookiebot',
      `<iframe data-cookieblock-src="${youTube}" data-cookieconsent="marketing"></iframe>`,
      youTube,
    ],
    ['Typeform, today', '<div data-tf-widget="abc"></div>', 'https://form.typeform.com/to/abc'],
    ['lite-vimeo', '<lite-vimeo videoid="12345"></lite-vimeo>', 'https://player.vimeo.com/video/12345'],
    [
      'Wistia',
      '<div class="wistia_responsive_padding"><div class="wistia_embed wistia_async_abc123 videoFoam=true"><img src="https://x.example/t.png" alt="">&nbsp;</div></div>',
      'https://fast.wistia.net/embed/iframe/abc123',
    ],
    [
      'Wistia element',
      '<wistia-player media-id="abc123"></wistia-player>',
      'https://fast.wistia.net/embed/iframe/abc123',
    ],
    [
      'Vidyard',
      '<img class="vidyard-player-embed" src="https://play.vidyard.com/Ab-1.jpg" data-uuid="Ab-1" data-v="4">',
      'https://play.vidyard.com/Ab-1',
    ],
    [
      'TinyMCE',
      '<img class="mce-object mce-object-iframe" data-mce-p-src="//www.youtube.com/embed/abcdefghijk" src="data:image/gif;base64,AAAA">',
      youTube,
    ],
    [
      'Confluence',
      '<ac:structured-macro ac:name="widget"><ac:parameter ac:name="url"><ri:url ri:value="https://youtu.be/abcdefghijk" /></ac:parameter></ac:structured-macro>',
      youTube,
    ],
  ])('of %s are in page and Markdown, apart from the text beside them', (_editor, body, address) => {
    const document = transform(`<p>before</p>${body}<p>after</p>`, settings({ policy }));
    // A player without a title is the URL alone.
    const link = document.markdown.includes('](') ? `](${address})` : `<${address}>`;
    expect(document.markdown).toMatch(/^before\n\n(?:\[[^\]]+\]\([^)]+\)|<[^>]+>)\n\nafter\n$/);
    expect(document.markdown).toContain(link);
    expect(document.html).toMatch(/<iframe|<a href/);
    const inSentence = transform(`<p>before ${body} after</p>`, settings({ policy }));
    expect(inSentence.markdown).toMatch(/^before(?:\n\n| )(?:\[[^\]]+\]\([^)]+\)|<[^>]+>)(?:\n\n| )after\n$/);
  });

  it('keep the title that the element has', () => {
    expect(markdown('<lite-youtube videoid="abcdefghijk" playlabel="Unboxing"></lite-youtube>')).toBe(
      `[Unboxing](${youTube})`,
    );
    expect(markdown('<oembed url="https://maps.example.com/x" title="Our map"></oembed>')).toBe(
      '[Our map](https://maps.example.com/x)',
    );
  });

  it.each(['https://play.vidyard.com/abc.mp4?x=1', 'https://embed-ssl.wistia.com/medias/abc/file.mp4#t=1'])(
    'do not replace the file of a video with parameters: %s',
    (file) => {
      expect(markdown(`<video src="${file}"></video>`)).toContain(`](${file})`);
    },
  );

  it('do not replace a cell of a table', () => {
    expect(markdown('<table><tr><td data-tf-widget="a">b</td><td>c</td></tr></table>')).toContain(
      '| b | c |',
    );
  });

  it('do not replace the file of a video', () => {
    const file = 'https://play.vidyard.com/abc.mp4';
    expect(markdown(`<video src="${file}"><source src="https://youtu.be/abc"></video>`)).toBe(
      `[abc.mp4](${file})`,
    );
  });

  it.each(['"><script>trip()</script>', 'javascript:trip()', '../../x', ''])(
    'with the id %j are no address',
    (id) => {
      const { html } = transform(
        `<lite-youtube videoid='${id}'>a</lite-youtube><oembed url='${id}'></oembed><wistia-player media-id='${id}'></wistia-player>`,
        settings({ policy }),
      );
      expect(findViolations(html)).toEqual([]);
      expect(html).not.toMatch(/<script|<iframe|href="javascript/);
      expect(html).toContain('a');
    },
  );

  it.each([
    ['', ''],
    ['<a name="film">', '</a>'],
  ])('beside text are blocks of their own, in %j, too', (open, close) => {
    const player = '<iframe src="https://www.youtube.com/embed/abcdefghijk" title="Demo"></iframe>';
    expect(markdown(`<p>${open}Watch ${player}then go on.${close}</p>`)).toBe(
      `Watch\n\n[Demo](${youTube})\n\nthen go on.`,
    );
  });

  it('of an unknown script without a text, and images of Word that only Word shows, are reported', () => {
    const { problems } = transform(
      '<hls-video src="https://x.example/v.m3u8"></hls-video><v:shape id="a"><v:imagedata src="a.png"></v:imagedata></v:shape>',
      settings(),
    );
    expect(problems.map(({ message }) => message)).toEqual(
      ['hls-video', 'v:imagedata'].map((name) => `<${name}> is not allowed. It was removed.`),
    );
  });

  it('of an unknown script show their text', () => {
    expect(markdown('<p>a <x-player code="1">Our film</x-player> b</p>')).toBe('a Our film b');
  });
});

describe('captions and images', () => {
  it.each([
    [
      'Froala caption',
      '<p>Press <span class="fr-img-caption fr-fic fr-dib"><span class="fr-img-wrap"><img src="/g.png" alt="G"><span class="fr-inner">The gear</span></span></span>to open.</p>',
      'Press\n\nG\n\nThe gear\n\nto open.',
    ],
    [
      'Froala caption with a link',
      '<p>a<span class="fr-img-caption"><span class="fr-img-wrap"><a href="/x"><img src="/g.png" alt="G"></a><span class="fr-inner">b</span></span></span></p>',
      'a\n\n[G](https://help.example.com/x)\n\nb',
    ],
    ['Froala block image', '<p><img class="fr-dib" src="/g.png" alt="G">Then wait.</p>', 'G\n\nThen wait.'],
    [
      'image that is a block by style',
      '<p>a<img style="display:block;margin:auto" src="/g.png" alt="G">b</p>',
      'a\n\nG\n\nb',
    ],
    [
      'Froala emoticon that is a picture',
      '<p><span class="fr-emoticon fr-emoticon-img" style="background:url(https://x.example/1f600.svg)">&nbsp;</span> a</p>',
      '😀 a',
    ],
    ['image in a sentence', '<p>Press <img class="fr-dii" src="/g.png" alt="G"> now</p>', 'Press G now'],
  ])('%s', (_what, body, expected) => {
    expect(markdown(body)).toBe(expected);
  });
});

describe('formulas of scripts', () => {
  const drawn = '<span class="katex-html" aria-hidden="true"><span class="base">x2</span></span>';
  const source =
    '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math>';

  it.each([
    [
      'KaTeX',
      `<p>a <span class="katex"><span class="katex-mathml">${source}</span>${drawn}</span> b</p>`,
      'a $x^2$ b',
    ],
    ['KaTeX without a source', `<p>a <span class="katex">${drawn}</span> b</p>`, 'a x2 b'],
    [
      'MathJax 3',
      `<p>a <mjx-container class="MathJax"><mjx-math aria-hidden="true"><mjx-mi>x2</mjx-mi></mjx-math><mjx-assistive-mml>${source}</mjx-assistive-mml></mjx-container> b</p>`,
      'a $x^2$ b',
    ],
    [
      'MathJax 3, SVG',
      `<p>a <mjx-container class="MathJax"><svg></svg><mjx-assistive-mml>${source}</mjx-assistive-mml></mjx-container> b</p>`,
      'a $x^2$ b',
    ],
    [
      'MathJax 2',
      `<p>a <span class="MathJax_Preview">x2</span><span class="MathJax"><nobr aria-hidden="true">x2</nobr></span><script type="math/tex">x^2</script> b</p>`,
      'a $x^2$ b',
    ],
    [
      'a script that has not run',
      '<p>a</p><p><script type="math/tex; mode=display">% <![CDATA[\nx < y %]]></script></p>',
      'a\n\n$$x < y$$',
    ],
    [
      'MathJax 2, with MathML for screen readers',
      `<p>a <span class="MathJax_Preview">x2</span><span class="MathJax"><nobr aria-hidden="true">x2</nobr><span>${source}</span></span><script type="math/tex">x^2</script> b</p>`,
      'a $x^2$ b',
    ],
    [
      'KaTeX, on a line of its own',
      `<p>a</p><span class="katex-display"><span class="katex"><span class="katex-mathml">${source}</span>${drawn}</span></span>`,
      'a\n\n$$x^2$$',
    ],
    [
      'dollars, in an element of their own',
      '<p>a <span class="math">$x^2$</span> b</p><div class="math"><p>$$x^2$$</p></div>',
      'a $x^2$ b\n\n$$x^2$$',
    ],
    ['a price', '<p><span class="math">$5</span></p>', '$5'],
    ['code', '<p><span class="math"><code>$PATH$</code></span></p>', '`$PATH$`'],
    ['CKEditor', '<p>a <span class="math-tex">\\(x^2\\)</span> b</p>', 'a $x^2$ b'],
    ['Sphinx', '<p>a</p><div class="math notranslate">\n\\[x^2\\]</div>', 'a\n\n$$x^2$$'],
    ['two in one text', '<p><span class="math">\\(a\\) or \\(b\\)</span></p>', '\\\\(a\\\\) or \\\\(b\\\\)'],
    ['code', '<pre><span class="math-tex">\\(a\\)</span></pre>', '```\n\\(a\\)\n```'],
    [
      'a text around formulas that has such a class',
      `<div class="MathJax-page"><p>a</p>${source}<p>b <span class="katex">${source} ${source}</span></p></div>`,
      'a\n\n$x^2$\n\nb $x^2$ $x^2$',
    ],
    [
      'MathJax 2 with MathML',
      `<p>a <span class="MathJax"><nobr aria-hidden="true">x2</nobr><span class="MJX_Assistive_MathML">${source}</span></span><script type="math/tex">x^2</script> b</p>`,
      'a $x^2$ b',
    ],
    [
      'Tiptap',
      '<p>a <span data-type="inline-math" data-latex="x^2"></span> b</p><div data-type="block-math" data-latex="x^2"></div>',
      'a $x^2$ b\n\n$$x^2$$',
    ],
    [
      'Gemini',
      `<p>a <span class="math-inline" data-math="x^2"><span class="katex">${drawn}</span></span> b</p><div class="math-block" data-math="x^2"></div>`,
      'a $x^2$ b\n\n$$x^2$$',
    ],
    ['a text', '<p>a <span data-math="x^2">and more</span> b</p>', 'a and more b'],
    [
      'a text around a drawing',
      `<p>a <span data-latex="1">c <span class="katex">${source}</span></span> b</p>`,
      'a c $x^2$ b',
    ],
    ['a text in a block', '<div class="ql-formula" data-value="c">a</div><p>b</p>', 'a\n\nb'],
    ['code with such an attribute', '<p><code>a <span data-latex="x">x</span></code></p>', '`a x`'],
    [
      'wangEditor',
      '<p>a <span data-w-e-type="formula" data-w-e-is-void data-value="x^2"></span> <span data-w-e-type="mention" data-value="c">b</span></p>',
      'a $x^2$ b',
    ],
    ['a comment', '<p>a <script type="math/tex">x% a note\n= 5\\%</script></p>', 'a $x = 5\\%$'],
    [
      'a target of links',
      '<p><a href="#e">a</a></p><div class="math" id="e">\\(x\\)</div>',
      '[a](#e)\n\n$x$',
    ],
  ])('are formulas, once: %s', (_what, body, expected) => {
    expect(markdown(body)).toBe(expected);
    expect(transform(body, settings({ policy, isThorough: true })).problems).toEqual([]);
  });

  it.each([
    '<div class="math" hidden>\\(x\\)</div>',
    '<span class="math-tex" style="display:none">\\(x\\)</span>',
    `<span class="katex" hidden>${source}${drawn}</span>`,
    '<script type="math/tex" hidden>x</script>',
  ])('stay hidden: %s', (body) => {
    expect(markdown(`<p>a</p>${body}`)).toBe('a');
  });
});

const macro = (name: string, content: string) =>
  `<ac:structured-macro ac:name="${name}" ac:schema-version="1">${content}</ac:structured-macro>`;
const parameter = (name: string, value: string) => `<ac:parameter ac:name="${name}">${value}</ac:parameter>`;
const rich = (body: string) => `<ac:rich-text-body>${body}</ac:rich-text-body>`;
const cdata = (text: string) => `<ac:plain-text-body><![CDATA[${text}]]></ac:plain-text-body>`;

describe('readings of characters', () => {
  it.each([
    ['<p><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>です</p>', '漢(かん)字(じ)です'],
    ['<p><ruby>漢<rp>（</rp><rt>かん</rt><rp>）</rp>字<rt>じ</rt></ruby></p>', '漢（かん）字(じ)'],
    ['<p><ruby>振<rt>ふ</rt>り<rt></rt>仮<rt>が</rt></ruby></p>', '振(ふ)り仮(が)'],
  ])('are in brackets: %s', (html, text) => {
    expect(markdown(html)).toBe(text);
  });
});

describe('the storage format of Confluence', () => {
  it.each([
    [
      'code',
      macro('code', parameter('language', 'bash') + cdata('if (a > b) && <c>\n  d')),
      '```bash\nif (a > b) && <c>\n  d\n```',
    ],
    ['code with a title', macro('code', parameter('title', 'x.sh') + cdata('a')), '**x.sh**\n\n```\na\n```'],
    ['unformatted text', macro('noformat', cdata('a  b')), '```\na  b\n```'],
    ['a section that opens', macro('expand', parameter('title', 'More') + rich('<p>a</p>')), '**More**\n\na'],
    ['a section without a title', macro('expand', rich('<p>a</p>')), 'a'],
    [
      'an empty parameter',
      macro('info', `<ac:parameter ac:name="icon" />${rich('<p>a</p>')}`),
      '> [!NOTE]\n> a',
    ],
    [
      'callouts',
      macro('warning', parameter('title', 'Hot') + rich('<p>a</p>')),
      '> [!WARNING]\n> **Hot**\n>\n> a',
    ],
    ['a panel', macro('panel', parameter('bgColor', '#eee') + rich('<p>a</p>')), 'a'],
    [
      'a status',
      `<p>It is ${macro('status', parameter('colour', 'Green') + parameter('title', 'DONE'))}.</p>`,
      'It is **DONE**.',
    ],
    [
      'a status and a date beside words',
      `<p>It is${macro('status', parameter('title', 'DONE'))}until<time datetime="2026-01-31" /></p>`,
      'It is **DONE** until 2026-01-31',
    ],
    ['nested macros', macro('panel', rich(`<p>a</p>${macro('code', cdata('b'))}`)), 'a\n\n```\nb\n```'],
    [
      'a link with a text',
      '<p>See <ac:link><ri:page ri:content-title="T" /><ac:plain-text-link-body><![CDATA[the <b>]]></ac:plain-text-link-body></ac:link> first</p>',
      'See the \\<b> first',
    ],
    [
      'a link without a text',
      '<p>See <ac:link><ri:page ri:content-title="Terms" /></ac:link> first</p>',
      'See Terms first',
    ],
    ['an image', '<p><ac:image ac:alt="A"><ri:url ri:value="https://x.example/a.png" /></ac:image></p>', 'A'],
    [
      'a date',
      '<p>Until <time datetime="2026-01-31" /> only</p><ac:placeholder>Write here</ac:placeholder>',
      'Until 2026-01-31 only',
    ],
    [
      'pictures for feelings',
      '<p>Yes <ac:emoticon ac:name="tick" /> no <ac:emoticon ac:name="blue-star" ac:emoji-fallback="🚀" /></p>',
      'Yes (tick) no 🚀',
    ],
    [
      'a panel of the new editor',
      '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-attribute key="panel-type">error</ac:adf-attribute><ac:adf-content><p>a</p></ac:adf-content></ac:adf-node><ac:adf-fallback><p>a</p></ac:adf-fallback></ac:adf-extension>',
      '> [!CAUTION]\n> a',
    ],
    [
      'code of its pages',
      '<pre data-syntaxhighlighter-params="brush: bash; gutter: false">a</pre>',
      '```bash\na\n```',
    ],
    [
      'columns',
      '<ac:layout><ac:layout-section ac:type="two_equal"><ac:layout-cell>a</ac:layout-cell><ac:layout-cell>b</ac:layout-cell></ac:layout-section></ac:layout>',
      'a\n\nb',
    ],
  ])('%s', (_what, body, expected) => {
    expect(markdown(body)).toBe(expected);
  });

  it('reports an attached image once', () => {
    const { problems } = transform(
      '<p><ac:image><ri:attachment ri:filename="a.png"><ri:content-entity ri:content-id="1" /></ri:attachment></ac:image></p>',
      settings(),
    );
    expect(problems.map(({ code }) => code)).toEqual(['IMAGE_REFUSED']);
  });

  it('does not show what a page keeps for other pages', () => {
    const { text, problems } = transform(
      `<p>a</p>${macro('details', parameter('hidden', 'true') + rich('<p>b</p>'))}${macro('excerpt', parameter('hidden', 'false') + rich('<p>c</p>'))}`,
      settings({ isThorough: true }),
    );
    expect(text).toBe('a\nc');
    expect(problems.map(({ message }) => message)).toEqual(['hidden text was removed: "b"']);
  });

  it('has the targets of its links', () => {
    const { html, problems } = transform(
      `<p>See <ac:link ac:anchor="Fees"><ac:plain-text-link-body><![CDATA[fees]]></ac:plain-text-link-body></ac:link></p><p>${macro('anchor', parameter('', 'Fees'))}They are low.</p>`,
      settings(),
    );
    expect(problems).toEqual([]);
    expect(html).toContain('<p><span id="Fees"></span>They are low.</p>');
  });

  it('reports what it cannot show', () => {
    const { problems } = transform(
      `${macro('jira-report', '')}${macro('toc', '')}<ac:image><ri:attachment ri:filename="a.png" /></ac:image>`,
      settings(),
    );
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['ELEMENT_DROPPED', 'the macro "jira-report" of Confluence has no text. It was removed.'],
      ['IMAGE_REFUSED', expect.stringContaining('attachment:a.png')],
    ]);
  });

  it('does not read CDATA elsewhere', () => {
    expect(markdown('<p>a<![CDATA[b]]>c</p>')).toBe('ac');
  });
});

describe('a list in an item without a mark', () => {
  it.each([
    [
      '<ul><li>a</li>\n<li style="list-style-type:none">\n<ul><li>b</li></ul>\n</li><li>c</li></ul>',
      '- a\n  - b\n- c',
    ],
    ['<ul><li style="list-style: none"><ol><li>a</li></ol></li></ul>', '- 1. a'],
    ['<ul><li>a</li><li style="list-style:none">b<ul><li>c</li></ul></li></ul>', '- a\n- b\n  - c'],
    [
      '<ol><li>a</li><li style="list-style:none"><ol><li>b</li></ol></li><li>c</li></ol>',
      '1. a\n2. 1. b\n3. c',
    ],
  ])('belongs to the item before it, if no number counts it: %j', (body, expected) => {
    expect(markdown(body)).toBe(expected);
    expect(transform(body, settings({ isThorough: true })).problems).toEqual([]);
  });
});

it('keeps an item without a mark that indents a list if no item is before it', () => {
  const body = '<ul><li style="list-style-type:none"><ul><li>a</li></ul></li><li>b</li></ul>';
  expect(transform(body, settings()).html).toContain('<li class="list-none"><ul>');
});

describe('signs of a font', () => {
  it.each([
    ['<p>File <span style="font-family:Wingdings">à</span> Save</p>', 'File → Save'],
    [
      '<p>Done <span style="font-family:Wingdings;mso-symbol-font-family:Wingdings"><span style="mso-char-type:symbol;mso-symbol-font-family:Wingdings">J</span></span> <span style="font-family: Wingdings"><b>\uf04c</b><span style="font-family:Arial">J</span></span></p>',
      'Done ☺ ☹J',
    ],
    ['<p><font face="Wingdings">ü</font> a <font face="Wingdings">\uf0fb</font> b</p>', '✔ a ✘ b'],
    [
      '<p>5 k<span style="font-family:&quot;Symbol&quot;,serif">W</span>, 3 <span style="font-family:Symbol">m</span>m</p>',
      '5 kΩ, 3 μm',
    ],
    [
      '<p><span style="font-family:Symbol">A whole text</span> <span style="font-family:Arial">à</span></p>',
      'A whole text à',
    ],
    [
      '<p><span style="font-family:Wingdings 2">P</span><span style="font-family:Wingdings 3">q</span><span style="font-family:Wingdings">~</span></p>',
      'Pq~',
    ],
  ])('are the signs that it shows: %s', (body, expected) => {
    const document = transform(body, settings({ isThorough: true }));
    expect(document.markdown).toBe(`${expected}\n`);
    expect(document.problems).toEqual([]);
  });
});

describe('running text that a style puts on lines of its own', () => {
  it.each([
    [
      '<p><span style="display:block">Step 1</span><span style="display: block;">Open</span>it</p>',
      'Step 1\n\nOpen\n\nit',
    ],
    ['<p><strong style="color:red;display:block!important">A</strong>b</p>', '**A**\n\nb'],
    [
      '<p><a href="https://x.example/"><span style="display:flex">A</span><span style="display:block">b</span></a></p>',
      '[A](https://x.example/)\n\n[b](https://x.example/)',
    ],
    ['<h2><span style="display:block">Step 1</span>Open</h2>', '## Step 1 Open'],
    [
      '<pre><span style="display:block">a</span><span style="display:block"> b</span></pre>',
      '```\na\n b\n```',
    ],
    ['<p>a<span style="display:inline-block">b</span>c<i style="display:table-cell">d</i></p>', 'abc*d*'],
  ])('is no part of the words beside it: %s', (body, expected) => {
    expect(markdown(body)).toBe(expected);
  });
});

describe('headings of Word for the web', () => {
  it.each([
    [
      '<div class="OutlineElement Ltr"><p class="Paragraph" role="heading" aria-level="1" id="a"><span class="TextRun">Set up</span></p></div><p role="heading" aria-level="2">Tools</p><p>b</p>',
      '## Set up\n\n### Tools\n\nb',
    ],
    ['<div role="heading">A</div><div role="Heading" aria-level="9">B</div>', '## A\n\n### B'],
    [
      '<div role="heading" aria-level="3"><button aria-expanded="false" aria-controls="x">Q</button></div><div id="x" hidden>A</div>',
      '## Q\n\nA',
    ],
    ['<h2>A <span role="heading" aria-level="2">b</span></h2><p role="note">c</p>', '## A b\n\nc'],
  ])('are headings: %s', (body, expected) => {
    expect(markdown(body)).toBe(expected);
  });
});

describe('sections and callouts', () => {
  it.each([
    [
      'Confluence',
      '<div class="expand-container"><div class="expand-control"><span class="expand-control-icon"></span><span class="expand-control-text">T</span></div><div class="expand-content" style="display:none"><p>a</p></div></div>',
    ],
    [
      'Zendesk, by a theme',
      '<div class="accordion"><button class="accordion__item-title">T</button><div class="accordion__item-content"><p>a</p></div></div>',
    ],
    [
      'W3Schools',
      '<button class="accordion">T</button><div class="panel" style="display:none"><p>a</p></div>',
    ],
    [
      'W3Schools, too',
      '<button type="button" class="collapsible">T</button>\n<div class="content"><p>a</p></div>',
    ],
    [
      'Freshdesk, by a theme',
      '<div class="fd-accordion-title">T</div><div class="fd-accordion-content" hidden>a</div>',
    ],
    [
      'Intercom',
      '<div><button aria-expanded="false">T</button><div style="height:0;overflow:hidden"><p>a</p></div></div>',
    ],
    [
      'Helpjuice',
      '<div class="helpjuice-accordion"><h2 class="helpjuice-accordion-title">T</h2><div class="helpjuice-accordion-body" style="display:none"><p>a</p></div></div>',
    ],
  ])('of %s open with a click', (_editor, body) => {
    const { html, markdown } = transform(body, settings());
    expect(html).toMatch(/<details>\n?<summary>/);
    expect(markdown).toMatch(/^(?:\*\*T\*\*|## T)\n\na\n$/);
  });

  it.each(['tab-pane', 'tabcontent', 'ui-tabs-panel ui-widget-content', 'w-tab-pane'])(
    'with the class %s are tabs, of which each is shown',
    (name) => {
      const { markdown, problems } = transform(
        `<ul><li><a href="#t1">A</a></li><li><a href="#t2">B</a></li></ul><div id="t1" class="${name}">a</div><div id="t2" class="${name}" style="display:none">b</div>`,
        settings({ isThorough: true }),
      );
      expect(markdown).toBe('- [A](#t1)\n- [B](#t2)\n\na\n\nb\n');
      expect(problems).toEqual([]);
    },
  );

  it.each([
    '<div class="tab-pane" style="display:none">Secret</div>',
    '<p>See <a href="#t">b</a></p><div id="t" class="tabcontent" hidden>Secret</div>',
    '<ul><li hidden><a href="#t">b</a></li></ul><div id="t" class="tab-pane" hidden>Secret</div>',
    '<div class="ui-tabs-panel" style="visibility:hidden">Secret</div>',
    '<button class="accordion" hidden>b</button><div style="display:none">Secret</div>',
    '<button class="accordion-expand-all">b</button><div hidden>Secret</div>',
    '<div class="accordion-title" hidden>b</div><div class="accordion-content" hidden>Secret</div>',
    '<button hidden aria-controls="t">b</button><div id="t" hidden>Secret</div>',
    '<p hidden><a aria-expanded="false">b</a></p><div hidden>Secret</div>',
    '<ul hidden><li><a href="#t" data-toggle="tab">b</a></li></ul><div id="t" role="tabpanel" hidden>Secret</div>',
  ])('do not show hidden text that no reader can open: %s', (body) => {
    const { text, problems } = transform(body, settings({ isThorough: true }));
    expect(text).not.toContain('Secret');
    expect(problems.map(({ message }) => message)).toContain('hidden text was removed: "Secret"');
    expect(problems.map(({ code }) => code)).not.toContain('CONTENT_LOST');
  });

  it('reads a class with a very long name', () => {
    const start = performance.now();
    transform(`<div class="accordion${'-'.repeat(100_000)}x">a</div>`, settings());
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it.each(['stable-content', 'tab', 'vegetables-panel'])(
    'does not show hidden text with the class %s',
    (name) => {
      expect(transform(`<div class="${name}" style="display:none">a</div>`, settings()).text).toBe('');
    },
  );

  it('are no callouts if they are only an image', () => {
    expect(
      markdown('<figure class="callout"><img src="https://x.example/a.png" alt="a"></figure>'),
    ).not.toContain('[!');
  });

  it.each([
    [
      'Intercom',
      '<div class="intercom-interblocks-callout" style="background-color: #feedaf80; border-color: #fbc91633;"><p class="no-margin">a</p></div>',
      'WARNING',
    ],
    [
      'Intercom, grey',
      '<div class="intercom-interblocks-callout" style="background-color: #e8e8e880;"><p>a</p></div>',
      'NOTE',
    ],
    ['HubSpot', '<div data-hs-callout-type="tip"><p>a</p></div>', 'TIP'],
    [
      'Notion',
      '<figure class="block-color-yellow_background callout" style="white-space:pre-wrap;display:flex"><div style="width:100%">a</div></figure>',
      'WARNING',
    ],
    ['Notion, grey', '<figure class="block-color-gray_background callout"><div>a</div></figure>', 'NOTE'],
    ['any editor', '<div class="fd-callout fd-callout--warning"><p>a</p></div>', 'WARNING'],
  ])('of %s are callouts', (_editor, body, kind) => {
    expect(markdown(body)).toBe(`> [!${kind}]\n> a`);
  });
});

describe('code', () => {
  it.each([
    ['Chroma', '<pre><code><span class="ln">1</span>a\n<span class="ln">2</span>7</code></pre>'],
    [
      'Pygments, with a table',
      '<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td><td class="code"><div><pre>a\n7</pre></div></td></tr></table>',
    ],
    [
      'Chroma, with a table',
      '<table class="lntable"><tr><td class="lntd"><pre><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre><code>a\n7</code></pre></td></tr></table>',
    ],
    [
      'Rouge',
      '<pre><code><table class="rouge-table"><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre>a\n7\n</pre></td></tr></table></code></pre>',
    ],
    [
      'Hugo, without classes',
      `<pre style="display:grid"><code>${['a', '7'].map((line, at) => `<span style="display:flex"><span style="white-space:pre;-webkit-user-select:none;user-select:none;color:#7f7f7f"> ${at + 1}</span><span>${line}\n</span></span>`).join('')}</code></pre>`,
    ],
  ])('of %s has no numbers of lines', (_editor, body) => {
    expect(markdown(body)).toBe('```\na\n7\n```');
    expect(transform(body, settings({ isThorough: true })).problems).toEqual([]);
  });

  it('of ChatGPT has no name of its language in the first line', () => {
    const code = (label: string): string =>
      `<pre class="overflow-visible!"><div><div class="select-none">${label}</div><div><button>Copy</button></div><div><code class="whitespace-pre! language-python">a</code></div></div></pre>`;
    expect(markdown(code('Python'))).toBe('```python\na\n```');
    expect(markdown(code('a.py'))).toBe('```python\na.py\na\n```');
    expect(markdown('<pre><div><code class="language-sh"><span>sh</span> a</code></div></pre>')).toBe(
      '```sh\nsh a\n```',
    );
  });

  it('keeps other numbers', () => {
    expect(
      markdown(
        '<pre>a <span class="number">1</span> <span class="ln">b2</span> <i class="x">=</i> c <span class="select-none">3</span></pre>',
      ),
    ).toBe('```\na 1 b2 = c 3\n```');
    expect(markdown('<table><tr><td class="linenos">12</td><td>items</td></tr></table>')).toContain('| 12 |');
  });

  it.each([
    [
      '<pre class="x" data-lang="js"><code class="line">{</code><code class="line">  a()</code><code></code><code>}</code></pre>',
      '```js\n{\n  a()\n\n}\n```',
    ],
    ['<pre class="x"><code>a\n</code><code>b</code></pre>', '```\na\nb\n```'],
    ['<pre class="x"><code>a</code> <code>b</code></pre>', '```\na b\n```'],
    [
      `<div style="font-family: 'Droid Sans Mono', 'monospace', monospace;line-height: 18px;white-space: pre;"><div><span style="color: #569cd6;">a</span>:</div><div><span>  </span>b</div><br><div>c</div></div>`,
      '```\na:\n  b\n\nc\n```',
    ],
    [
      '<p class="c1"><span>&#60419;</span><span>a</span>:</p><p class="c1">&nbsp; b</p><p class="c1"><span></span></p><p>c</p><p><span>&#60418;</span></p>',
      '```\na:\n  b\n\nc\n```',
    ],
  ])('has a line for each of its elements, if it has nothing else: %s', (body, expected) => {
    expect(markdown(body)).toBe(expected);
  });

  it.each([
    '<p style="font-family:Menlo">a<br>b</p>',
    '<div style="font-family:monospace;white-space:pre-wrap">a <a href="https://x.example/">b</a></div>',
  ])('is no text in such a font that has links, or no white space to keep: %s', (body) => {
    expect(transform(body, settings()).html).not.toContain('<pre');
  });

  it.each([
    ['<p>See <code><span class="ln">42</span></code></p>', 'See `42`'],
    [`<pre><div class="gutter">${'1\n'.repeat(200)}let x</div></pre>`, 'let x'],
    ['<table><tr><td class="line-number">404</td><td><code>x</code></td></tr></table>', '| 404 | `x` |'],
  ])('keeps numbers that are no numbers of lines', (body, expected) => {
    expect(markdown(body)).toContain(expected);
  });

  it.each([
    ['<div class="highlight highlight-source-shell"><pre>a</pre><div></div></div>', 'shell'],
    [
      '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code>a</code></pre></div></div>',
      'ruby',
    ],
    ['<pre><code class="hljs javascript">a</code></pre>', 'javascript'],
    ['<pre lang="sh"><code>a</code></pre>', 'sh'],
    ['<pre class="brush: js; gutter: true">a</pre>', 'js'],
    ['<pre data-code-brush="Html" rel="highlighter">a</pre>', 'html'],
    ['<pre lang="de"><code class="hljs nohighlight">a</code></pre>', ''],
    ['<pre lang="cs">a</pre>', ''],
    ['<div class="highlighted language-fr"><pre>a</pre></div>', ''],
    ['<div class="language-en"><pre>a</pre></div>', ''],
  ])('has the language that an editor names around it: %s', (body, language) => {
    expect(markdown(body)).toBe(`\`\`\`${language}\na\n\`\`\``);
  });
});

it.each([
  'https://www.google.com/url?q=https://x.example/a%3Fb%3D1%23c&amp;sa=D&amp;source=editors&amp;ust=1',
  'https://eur02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fx.example%2Fa%3Fb%3D1%23c&amp;data=05%7C01%7Cme%40mail.example%7C0',
  'https://www.google.com/url?sa=t&amp;q=https://search.example/&amp;url=https%3A%2F%2Fx.example%2Fa%3Fb%3D1%23c',
  'https://eur02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%253A%252F%252Fx.example%252Fa%253Fb%253D1%2523c%26sa%3DD&amp;data=me',
])('leads directly to the target of a link in an export of Google Docs or a mail of Outlook: %s', (href) => {
  expect(markdown(`<p><a href="${href}">a</a></p>`)).toBe('[a](https://x.example/a?b=1#c)');
});

it.each([
  'https://www.google.com/url?q=javascript:x',
  'https://www.google.com/url?q=https://',
  'https://www.google.com/search?q=https://x.example/',
])('keeps other links: %s', (href) => {
  expect(markdown(`<p><a href="${href}">a</a></p>`)).toBe(`[a](${href})`);
});

describe('what reviewers said to each other', () => {
  const mark = (name: string): string => `<sup><a href="#cmnt${name}" id="cmnt_ref${name}">[a]</a></sup>`;
  const comment = (name: string): string =>
    `<p><a href="#cmnt_ref${name}" id="cmnt${name}">[a]</a><b>b</b></p>`;

  it.each([
    [
      'Google Docs',
      `<p>a${mark('1')}${mark('2')} c</p><div style="border:1px solid black;margin:5px">${comment('1')}<p>d</p></div><div>${comment('2')}</div>`,
      ['[a]b d', '[a]b'],
    ],
    [
      'Word, without its styles',
      '<p>a<a class="msocomanchor" href="#_msocom_1" name="_msoanchor_1">[B1]</a> c</p><div><div id="_com_1"><p><a name="_msocom_1"></a>b<a href="#_msoanchor_1">[B1]</a></p></div></div>',
      ['b[B1]'],
    ],
    ['Google Docs, in an editor without boxes', `<div><p>a${mark('1')} c</p>${comment('1')}</div>`, ['[a]b']],
    [
      'Word',
      '<p>a<span><a class="msocomanchor" id="_anchor_1" href="#_msocom_1" name="_msoanchor_1">[B1]</a></span> c</p><div style="mso-element:comment-list"><div><a name="_msocom_1"></a><p>b<a href="#_msoanchor_1">[B1]</a></p></div></div>',
      ['b[B1]'],
    ],
    [
      'Helpjuice',
      '<p>a c</p><div class="helpjuice-internal-block" data-permitted-groups="1"><div class="helpjuice-internal-block-body"><p>b</p></div></div>',
      ['b'],
    ],
  ])('in an export of %s is not published, but reported', (_editor, body, texts) => {
    const { html, markdown, text, problems } = transform(body, settings({ isThorough: true }));
    expect([html.replace(/<\/?div>/g, ''), markdown, text]).toEqual(['<p>a c</p>', 'a c\n', 'a c']);
    expect(problems).toEqual(
      texts.map((found) => ({ code: 'HIDDEN_TEXT', message: `hidden text was removed: "${found}"` })),
    );
  });

  it('is no link to a comment of another page', () => {
    expect(markdown('<p><a href="https://x.example/#cmnt1">a</a></p>')).toBe('[a](https://x.example/#cmnt1)');
    expect(markdown('<p><a href="#cmnt1">a</a></p>')).toBe('[a](#cmnt1)');
  });
});

describe('the rules', () => {
  it('name their editor, and where their form is described or was seen', () => {
    for (const { editor, report } of editorRules) {
      expect(editor).not.toBe('');
      expect(report).toMatch(/^https:\/\/|^[\w.-]+\/[\w.-]+#\d+$|^bodies of published articles$/);
    }
  });
});
