import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { settings } from './settings.ts';

describe('headings', () => {
  it.each([
    ['h1 h2 h3', 'h2 h3 h4'],
    ['h2 h3 h2', 'h2 h3 h2'],
    ['h2 h4 h6 h4 h3', 'h2 h3 h4 h3 h3'],
    ['h4 h4 h2', 'h2 h2 h2'],
    ['h1 h2 h3 h4 h5 h6', 'h2 h3 h4 h5 h6 h6'],
  ])('%s make the outline %s below the title', (written, published) => {
    const body = written
      .split(' ')
      .map((tag) => `<${tag}>${tag}</${tag}>`)
      .join('');
    const { html, headings } = transform(body, settings());
    expect([...html.matchAll(/<(h\d)/g)].map((match) => match[1]).join(' ')).toBe(published);
    expect(headings.map(({ level }) => `h${level}`).join(' ')).toBe(published);
  });

  it('get an id from their text in every script, unique on the page and apart from the ids of the theme', () => {
    const { headings } = transform(
      '<h2>Café &amp; Bar</h2><h2>Cafe Bar</h2><h2>重置 设备</h2><h2>!</h2><h2>Main</h2>',
      settings(),
    );
    expect(headings.map(({ id }) => id)).toEqual([
      'cafe-bar',
      'cafe-bar-2',
      '重置-设备',
      'section',
      'main-2',
    ]);
  });

  it('of a translation get the id of the source heading at the same position; their own stay as aliases', () => {
    const { html, headings, anchors } = transform(
      '<h2 id="h_01ABC">Einrichten</h2><h2>Löschen</h2><h2>Mehr</h2>',
      settings({ language: 'de', sourceHeadingIds: ['set-up', 'delete'] }),
    );
    expect(headings.map(({ id }) => id)).toEqual(['set-up', 'delete', 'mehr']);
    expect(anchors).toEqual(['h_01ABC', 'einrichten', 'loschen']);
    expect(html).toContain(
      '<h2 id="set-up"><span id="einrichten"></span><span id="h_01ABC"></span>Einrichten</h2>',
    );
  });

  it.each([
    ['one more', 'before install remove', ['vorher', 'install', 'remove']],
    ['one less', 'remove', ['remove']],
    ['another order', 'remove install', ['remove', 'install']],
    ['one of the author, and those around it by their position', '- remove -', ['install', 'remove', 'more']],
    ['one of the author, and another number around it', '- - remove', ['text-0', 'text-1', 'remove']],
  ])('of a translation keep ids that are those of source headings: %s', (_what, given, expected) => {
    const body = given
      .split(' ')
      .map((id, at) =>
        id === '-' ? `<h2>Text ${at}</h2>` : `<h2 id="${id}">${id === 'before' ? 'Vorher' : 'x'}</h2>`,
      );
    const source = given === '- remove -' ? ['install', 'remove', 'more'] : ['install', 'remove'];
    const { headings } = transform(body.join(''), settings({ language: 'de', sourceHeadingIds: source }));
    expect(headings.map(({ id }) => id)).toEqual(expected);
  });

  it('of Markdown also have the ids of GitHub', () => {
    const texts = [
      'Über uns',
      'Step',
      'Step',
      'What’s <code>new</code> in v1.2?',
      'C++ &amp; <b>C#</b>',
      'node_modules',
      '🚀',
      '🚀',
    ];
    const body = texts.map((text) => `<h2>${text}</h2>`).join('');
    const ids = 'über-uns step-1 whats-new-in-v12 c--c node_modules'.split(' ');
    const { anchors, problems } = transform(
      body + ids.map((id) => `<a href="#${id}">x</a>`).join(''),
      settings({ hasGitHubIds: true }),
    );
    expect(anchors).toEqual(ids);
    expect(problems).toEqual([]);
    expect(transform(body, settings()).anchors).toEqual([]);
  });

  it('keep the ids they came with as aliases, unless a script could take them for its own', () => {
    const { anchors } = transform(
      '<h2 id="faq-1">One</h2><h2 id="getElementById">Two</h2><h2 id="location">Three</h2>',
      settings(),
    );
    expect(anchors).toEqual(['faq-1', 'h-getElementById', 'h-location']);
  });

  it('keep ids that editors make from their text, without the characters that an id cannot have', () => {
    const { anchors, links, problems } = transform(
      '<h2 id="Set\u00a0up\u200b">A</h2><h2 id="C">B</h2><h2 id="C++">C</h2><h2 id="“Why?”">D</h2>' +
        '<h2 id="_Toc12">E</h2><p id="m\u2060²">F</p>' +
        '<a href="#Set%C2%A0up%E2%80%8B">1</a><a href="#Set up">2</a><a href="#C">3</a><a href="#C++">4</a>' +
        '<a href="#“Why?”">5</a><a href="#_Toc12">6</a><a href="#m%E2%81%A0²">7</a>',
      settings(),
    );
    const ids = ['Set-up', 'C', 'C-2b-2b', '201cWhy-3f-201d', 'Toc12', 'm2'];
    expect(anchors).toEqual(ids);
    expect(links.map(({ fragment }) => fragment)).toEqual(['Set-up', ...ids]);
    expect(problems).toEqual([]);
  });

  it('are found by their text if no id is that of a link', () => {
    const { links, problems } = transform(
      '<h2>C</h2><h2>C#</h2><h2>Multiple workspaces mode?</h2><h2>Rechte</h2><h2>C#</h2>' +
        '<a href="#c#">1</a><a href="#Multiple\u00a0workspaces%20mode?">2</a><a href="#multiple-workspaces mode">3</a>' +
        '<a href="#Admin rights">4</a><a href="#rechte">5</a><a href="#Recht">6</a>',
      settings({ sourceHeadingIds: ['c', 'c-2', 'multiple-workspaces-mode', 'admin-rights', 'c-3'] }),
    );
    expect(links.map(({ fragment }) => fragment)).toEqual([
      'c-2',
      'multiple-workspaces-mode',
      'multiple-workspaces-mode',
      'admin-rights',
      'rechte',
      'Recht',
    ]);
    expect(problems.map(({ message }) => message)).toEqual([
      'the link "#Recht" points to an element that does not exist on its page',
    ]);
  });

  it('have no sign of a link to themselves, but its id', () => {
    const { html, headings } = transform(
      '<h2>A<a class="headerlink" href="https://x.example/#a" title="Permalink">¶</a></h2><h3><a id="b" href="#b">#</a> B</h3><h3><a href="#c">#</a></h3><h3>C <a href="/d">#</a></h3><h3>D <a href="#e">§</a> 5</h3>',
      settings({ isThorough: true }),
    );
    expect(html).toContain('<h2 id="a">A</h2>\n<h3 id="b">B</h3>');
    expect(headings.map(({ text }) => text)).toEqual(['A', 'B', '#', 'C #', 'D § 5']);
  });

  it('are listed as text, with line breaks as spaces and images by their alt text', () => {
    const { headings, markdown } = transform(
      '<h2>A<br><code>b</code> <img src="/i.png" alt="c"> #</h2>',
      settings(),
    );
    expect(headings[0]?.text).toBe('A b c #');
    expect(markdown).toBe('## A `b` c \\#\n');
  });
});

describe('other targets', () => {
  it('keep their ids; empty ones come before the next content', () => {
    const { html, anchors } = transform(
      '<p><a name="old"></a></p><p id="x">a</p><div id="y"></div><p id="x">b</p>',
      settings(),
    );
    expect(html).toBe('<p id="x"><span id="old"></span>a</p>\n<p><span id="y"></span>b</p>');
    expect(anchors).toEqual(['x', 'old', 'y']);
  });

  it('are found if their style moves them up, for a header that covers what is below them', () => {
    const { html, problems } = transform(
      '<p><a href="#a">A</a> <a href="#b">B</a> <a href="#c">C</a></p><a id="a" style="display:block;position:relative;top:-120px;visibility:hidden"></a><p>a</p><a name="b" style="position:relative;top:-600px">&nbsp;</a><p>b</p><p id="d" hidden></p><span id="e" style="display: none"></span><h2 id="c" style="padding-top:150px;margin-top:-150px">C</h2>',
      settings({ isThorough: true }),
    );
    expect(html).toContain('<p><span id="a"></span>a</p>\n<p><span id="b"></span>b</p>\n<h2 id="c">C</h2>');
    expect(problems).toEqual([]);
  });

  it('are never on a link, an image or a frame, because they could replace names that scripts read', () => {
    expect(
      transform('<a id="a" href="/x">b</a><img id="c" name="d" src="/e.png" alt="">', settings()).html,
    ).toBe(
      '<span id="a"></span><a href="https://help.example.com/x">b</a><span id="c"></span>' +
        '<img src="https://help.example.com/e.png" alt="">',
    );
  });
});
