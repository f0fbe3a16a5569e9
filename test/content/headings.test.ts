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

  it('keep the ids they came with as aliases, unless a script could take them for its own', () => {
    const { anchors } = transform(
      '<h2 id="faq-1">One</h2><h2 id="getElementById">Two</h2><h2 id="location">Three</h2>',
      settings(),
    );
    expect(anchors).toEqual(['faq-1', 'h-getElementById', 'h-location']);
  });

  it('are listed as text, with line breaks as spaces and images by their alt text', () => {
    const { headings, markdown } = transform(
      '<h2>A<br><code>b</code> <img src="/i.png" alt="c"> #</h2>',
      settings(),
    );
    expect(headings[0]?.text).toBe('A b c #');
    expect(markdown).toBe('## A `b` ![c](https://help.example.com/i.png) \\#\n');
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

  it('are never on a link, an image or a frame, because they could replace names that scripts read', () => {
    expect(
      transform('<a id="a" href="/x">b</a><img id="c" name="d" src="/e.png" alt="">', settings()).html,
    ).toBe(
      '<span id="a"></span><a href="https://help.example.com/x">b</a><span id="c"></span>' +
        '<img src="https://help.example.com/e.png" alt="">',
    );
  });
});
