import { describe, expect, it } from 'vitest';
import type { LinkResolution } from '../../src/content/document.ts';
import { transform } from '../../src/content/transform.ts';
import { settings } from './settings.ts';

const internal: LinkResolution = {
  kind: 'internal',
  href: '/en/article/4fq8d7s2ka-reset/#power',
  url: 'https://help.test/en/article/4fq8d7s2ka-reset/#power',
  articleId: '4fq8d7s2ka',
  categoryId: null,
  hreflang: 'en',
};

function publish(body: string, resolveLink: (href: string) => LinkResolution = () => ({ kind: 'external' })) {
  return transform(body, settings({ resolveLink }));
}

describe('links', () => {
  it('lead to the page the resolver names, marked with its language', () => {
    const { html, markdown, links } = publish(
      '<a href="/article/4fq8d7s2ka-old?x=1#power">Reset</a>',
      () => internal,
    );
    expect(html).toBe('<a href="/en/article/4fq8d7s2ka-reset/#power" hreflang="en">Reset</a>');
    expect(markdown).toBe('[Reset](https://help.test/en/article/4fq8d7s2ka-reset/#power)\n');
    expect(links).toEqual([
      {
        href: '/en/article/4fq8d7s2ka-reset/#power',
        kind: 'internal',
        articleId: '4fq8d7s2ka',
        fragment: 'power',
      },
    ]);
  });

  it('lose their URL and keep their text if the resolver unlinks them, and the problem is reported', () => {
    const { html, links, problems } = publish('<p>See <a href="/article/x">this <b>one</b></a>.</p>', () => ({
      kind: 'unlinked',
      problem: 'LINK_TO_HIDDEN',
      message: 'hidden',
    }));
    expect(html).toBe('<p>See this <b>one</b>.</p>');
    expect(links).toEqual([]);
    expect(problems).toEqual([{ code: 'LINK_TO_HIDDEN', message: 'hidden' }]);
  });

  it('are resolved once per URL, as the author wrote it', () => {
    const asked: string[] = [];
    publish(
      '<a href=" /a ">1</a><a href="/a">2</a><a href="https://x.test/b">3</a><a href="#c">4</a>',
      (href) => {
        asked.push(href);
        return { kind: 'external' };
      },
    );
    expect(asked).toEqual(['/a', 'https://x.test/b']);
  });

  it('to other sites become absolute, and a new tab gets no reference to the page', () => {
    expect(publish('<a href="../up?a=1&b=2" target="_blank" rel="opener">x</a>').html).toBe(
      '<a href="https://help.example.com/up?a=1&amp;b=2" target="_blank" rel="noopener">x</a>',
    );
  });

  it.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x/y',
    'java script:alert(1)',
    'java\u200bscript:alert(1)',
  ])('with the address %j are not published', (href) => {
    const { html, problems } = publish(`<a href="${href}">x</a>`);
    expect(html).toBe('x');
    expect(problems.map(({ code }) => code)).toEqual(['LINK_BROKEN']);
  });

  it.each([
    ['mailto:help@x.test', 'mailto:help@x.test'],
    ['tel:+41 1', 'tel:+41%201'],
    ['https://user:pass@x.test/', 'https://x.test/'],
    ['https://x.test/a b|c?d=[e]#f#g', 'https://x.test/a%20b%7Cc?d=%5Be%5D#f%23g'],
    ['HTTPS://X.test/%zz/../ü', 'https://x.test/%C3%BC'],
    ['//cdn.test/x', 'https://cdn.test/x'],
  ])('with the address %j are published as %j', (href, published) => {
    expect(publish(`<a href="${href}">x</a>`).html).toBe(`<a href="${published}">x</a>`);
  });

  it.each([
    ['https://x.test/a_b?c=d', 'https://x.test/a_b?c=d', '<https://x.test/a_b?c=d>'],
    ['https://x.test', 'https://x.test/', '<https://x.test>'],
    ['https://x.test/?a&amp;b=c', 'https://x.test/?a&amp;b=c', '<https://x.test/?a&b=c>'],
    ['<b>https://x.test</b>', 'https://x.test', '[**https://x.test**](https://x.test/)'],
    ['a.b@x.test', 'mailto:a.b@x.test', '<a.b@x.test>'],
    ['https://x.test/%E3%82%AC', 'https://x.test/%E3%82%AC', '<https://x.test/ガ>'],
    // The text leads elsewhere, is no URL, or is one that parsers would read differently.
    ['https://x.test/a', 'https://x.test/b', '[https://x.test/a](https://x.test/b)'],
    ['x.test', 'https://x.test/', '[x.test](https://x.test/)'],
    [
      'https://x.test/?a&amp;copy;b',
      'https://x.test/?a&amp;copy;b',
      '[https://x.test/?a\\&copy;b](https://x.test/?a\\&copy;b)',
    ],
  ])('whose text %s is their URL have it once in Markdown', (text, href, markdown) => {
    expect(publish(`<p>See <a href="${href}">${text}</a>!</p>`).markdown).toBe(`See ${markdown}!\n`);
  });

  it.each([
    ['letters', '/wiki/%E3%83%A1%E3%83%8B%E3%83%A5%E3%83%BC#%D0%9E%D0%B1', '/wiki/メニュー#Об'],
    ['signs that end a link', '/a%28b%29%20c%22%3C%3E%5C%0A', null],
    [
      'spaces, controls, and what is not visible',
      '/%C2%A0%E3%80%80%E2%80%8B%E2%80%8F%E2%80%AE%EF%BB%BF%C2%85%E1%85%A0',
      null,
    ],
    ['punctuation of other scripts', '/%E3%80%82%EF%BC%89', null],
    ['letters that normalisation would change', '/caf%65%CC%81%E3%81%8B%E3%82%99', null],
    ['bytes that are no text, and small digits', '/%FF%E3%83/%e3%83%a1', null],
  ])('have %s in Markdown only if they lead to the same URL', (_what, path, shown) => {
    const { markdown } = publish(`<a href="https://x.test${path}">Go</a>`);
    const [, url = ''] = /\((.*)\)/.exec(markdown) ?? [];
    expect(url).toBe(`https://x.test${shown ?? path}`);
    expect(new URL(url).href).toBe(`https://x.test${path}`);
  });

  it('within the page find headings and other targets; one that finds nothing is reported', () => {
    const { html, links, problems } = publish(
      '<h2>Über uns</h2><p id="note">a</p><a href="#%C3%BCber">1</a><a href="#note">2</a><a href="#gone">3</a><a href="#top">4</a><a href="#TOP">5</a>',
    );
    expect(html).toContain('<h2 id="uber-uns">Über uns</h2>\n<p id="note">a</p>');
    expect(links.map(({ href, kind }) => `${kind} ${href}`)).toEqual([
      'anchor #%C3%BCber',
      'anchor #note',
      'anchor #gone',
      'anchor #top',
      'anchor #TOP',
    ]);
    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'ANCHOR_MISSING the link "#über" points to an element that does not exist on its page',
      'ANCHOR_MISSING the link "#gone" points to an element that does not exist on its page',
    ]);
  });

  it('to words of a page need no element of that name, and keep the words', () => {
    const { links, problems } = publish(
      `<h2>Über uns</h2><a href="#:~:text=two%2C%20words">1</a><a href="#uber-uns:~:text=a&amp;text=b">2</a>
      <a href="#gone:~:text=c">3</a><a href="/x#:~:text=d">4</a>`,
      (href) => (href === '/x' ? internal : { ...internal, href: `/en/x/${href.slice(2)}` }),
    );
    expect(links.map(({ href, fragment }) => [href, fragment])).toEqual([
      ['#:~:text=two%2C%20words', ''],
      ['#uber-uns:~:text=a&text=b', 'uber-uns'],
      ['#gone:~:text=c', 'gone'],
      ['/en/x/#:~:text=d', ''],
    ]);
    expect(problems.map(({ message }) => message)).toEqual([
      'the link "#gone" points to an element that does not exist on its page',
    ]);
  });

  it.each([
    '<a href="https://x.test/"><button class="btn">Sign up</button></a>',
    '<a href="https://x.test/"><span><button>Sign up</button></span></a>',
    '<button type="button"><a href="https://x.test/">Sign up</a></button>',
  ])('that look like a button stay: %s', (link) => {
    const { markdown, problems } = publish(`<p>Start:${link}now</p>`);
    expect(markdown).toMatch(/^Start: \[Sign up ?\]\(https:\/\/x\.test\/\) now\n$/);
    expect(problems).toEqual([]);
    const unlinked = publish(link, () => ({ kind: 'unlinked', problem: 'LINK_BROKEN', message: 'gone' }));
    expect(unlinked.markdown).toBe('Sign up\n');
  });

  it('without text are removed', () => {
    expect(publish('<p>a<a href="/x"></a><a href="/y"> </a>b</p>')).toMatchObject({
      html: '<p>a b</p>',
      links: [],
    });
  });
});
