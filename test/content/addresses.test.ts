import { describe, expect, it } from 'vitest';
import { absoluteAddress, classifyLink, resolveResource } from '../../src/content/policy/url-policy.ts';
import { transform } from '../../src/content/transform.ts';
import { parseUrl } from '../../src/core/addresses.ts';
import { fc, runs } from '../support/properties.ts';
import { arbitraryAddress } from './arbitrary-address.ts';
import { settings } from './settings.ts';

const base = 'https://help.example.com/';
/** Characters that the URL standard allows; brackets are allowed only in the host. */
const valid =
  /^https?:\/\/(?:\[[0-9a-f:.]+\](?::\d+)?)?(?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2}|[^\0-\x7f])*$/;

const escapeValue = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

describe('a URL', () => {
  it.each(['http://[::1]:3000/', 'http://[2001:db8::1]/a.png?b=1#c', 'https://[::ffff:7f00:1]/a%5Bb%5D'])(
    'with the IPv6 host of %s is published unchanged',
    (address) => {
      expect(absoluteAddress(address, base)).toBe(address);
      expect(transform(`<a href="${address}">x</a>`, settings()).html).toBe(`<a href="${address}">x</a>`);
    },
  );

  it('with half a surrogate pair is that of a browser', () => {
    expect(transform('<a href="#\ud800">x</a>', settings()).html).toBe('<a href="#%EF%BF%BD">x</a>');
  });

  it('whose host is not valid Punycode is refused', () => {
    // Later versions of Node accept xn--a.com, which has the right form and decodes to nothing.
    expect(absoluteAddress('https://xn--a-ä.com/', base)).toBeNull();
  });

  it('of a telephone that no browser can read is refused', () => {
    const { html, problems } = transform('<a href="tel://[fe80::1%25eth0]">x</a>', settings());
    expect(html).toBe('x');
    expect(problems.map(({ code }) => code)).toEqual(['LINK_BROKEN']);
  });

  it('is refused, or becomes one that is valid and in its normal form', { tags: 'property' }, () => {
    fc.assert(
      fc.property(arbitraryAddress, (raw) => {
        const link = classifyLink(raw);
        const addresses = [
          link.kind === 'web' ? absoluteAddress(link.href, base) : null,
          resolveResource(raw, base, false),
        ];
        for (const address of addresses.filter((one) => one !== null)) {
          expect(parseUrl(address)).not.toBeNull();
          expect(address).toMatch(valid);
          expect(absoluteAddress(address, base)).toBe(address);
        }
      }),
      { numRuns: runs(5000) },
    );
  });

  it.each(['//cdn.example.net/a', ' //cdn.example.net/a', '/\\cdn.example.net/a', '/\t/cdn.example.net/a'])(
    'that begins with the host is https, with and without a base: %j',
    (raw) => {
      expect(classifyLink(raw)).toEqual({ kind: 'web', href: expect.stringContaining('https://') });
      for (const baseUrl of [null, 'http://localhost:3000/'])
        expect(resolveResource(raw, baseUrl, false)).toBe('https://cdn.example.net/a');
    },
  );

  it('that begins with the host is published for links, images, players and files', () => {
    const { html, problems } = transform(
      '<a href="//docs.example.net/x">x</a><img src="//img.example.net/a.png" alt="a"><img data-src="//img.example.net/b.png" alt="b">' +
        '<img srcset="//img.example.net/c.png 2x" alt="c"><iframe src="//www.youtube.com/embed/abcdefghijk"></iframe>' +
        '<video poster="//img.example.net/d.png"><source src="//cdn.example.net/e.mp4"></video><audio src="//cdn.example.net/f.mp3"></audio>' +
        '<iframe src="//forms.example.net/g" title="g"></iframe>',
      settings({ baseUrl: null }),
    );
    expect([...html.matchAll(/(?:src|href|poster)="([^"]*)"/g)].map(([, url]) => url)).toEqual([
      'https://docs.example.net/x',
      'https://img.example.net/a.png',
      'https://img.example.net/b.png',
      'https://img.example.net/c.png',
      'https://www.youtube-nocookie.com/embed/abcdefghijk',
      'https://cdn.example.net/e.mp4',
      'https://img.example.net/d.png',
      'https://cdn.example.net/f.mp3',
      'https://forms.example.net/g',
    ]);
    expect(problems.map(({ code }) => code)).toEqual(['EMBED_REPLACED']);
  });

  it('in any attribute of a body leaves a document whose URLs are all valid', { tags: 'property' }, () => {
    fc.assert(
      fc.property(arbitraryAddress, (raw) => {
        const value = escapeValue(raw);
        const { html, links, images, files } = transform(
          `<a href="${value}">x</a><img src="${value}" srcset="${value} 2x"><iframe src="${value}"></iframe>` +
            `<video src="${value}" poster="${value}"></video>`,
          settings(),
        );
        const published = [...links.map(({ href }) => href), ...images.map(({ src }) => src), ...files];
        expect(published.filter((address) => parseUrl(address, base) === null)).toEqual([]);
        expect(transform(html, settings()).html).toBe(html);
      }),
      { numRuns: runs(1000) },
    );
  });
});
