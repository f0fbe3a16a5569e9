import { describe, expect, it } from 'vitest';
import { listUrls } from '../../../src/content/parse/list-urls.ts';
import { absoluteAddress, classifyLink, resolveResource } from '../../../src/content/policy/url-policy.ts';
import { transform } from '../../../src/content/transform.ts';
import { parseUrl } from '../../../src/core/addresses.ts';
import { requestMedia } from '../../../src/site/media/media-table.ts';
import { arbitraryAddress } from '../../content/arbitrary-address.ts';
import { arbitraryBody } from '../../content/arbitrary-body.ts';
import { settings } from '../../content/settings.ts';
import { fc, runs } from '../../support/properties.ts';

const baseUrl = 'https://x.test/';
const rules = {
  baseUrl,
  hosts: new Set(['x.test', '[::1]:3000']),
  attachments: new Set(['pdf', 'mp4']),
};

describe('a request to other servers for a body', () => {
  it('contains every image of an allowed host, however its URL is written', async () => {
    const body = `
      <img src="a.png"><IMG SRC='b.png'><img alt=">" src=c.png><img src="&#47;d.png"><img src="&sol;e&period;png">
      <img src="x:y" data-src="f.png"><img srcset=" g.png 2x, h.png"><image src="i.png"><video poster="j.png"></video>
      <img
        src = "k.png"><a href="l.jpeg?full=1">larger</a>`;
    expect((await requestMedia([body], rules)).images).toEqual(
      ['a.png', 'b.png', 'c.png', 'd.png', 'e.png', 'f.png', 'g.png', 'i.png', 'j.png', 'k.png']
        .map((name) => baseUrl + name)
        .concat(`${baseUrl}l.jpeg?full=1`),
    );
  });

  it.each(['img src', 'IMG src', 'image src', 'video poster'])(
    'contains the image of a body with one <%s>',
    async (tag) => {
      expect((await requestMedia([`<${tag}="/a">`], rules)).images).toEqual([`${baseUrl}a`]);
    },
  );

  it('takes files from IPv6 hosts that are allowed and ignores links to others', async () => {
    const body =
      '<img src="http://[::1]:3000/a.png"><img src="http://[::2]/b.png"><a href="http://[::2]/">x</a>';
    expect(await requestMedia([body], rules)).toEqual({ images: ['http://[::1]:3000/a.png'], files: [] });
  });

  it('contains a linked or played file only if its extension is on the list', async () => {
    const body =
      '<a href="a.pdf#page=2">x</a><a href="b.env">x</a><video src="c.mp4"></video><audio><source src="d.svg"></audio>';
    expect(await requestMedia([body], rules)).toEqual({
      images: [],
      files: [`${baseUrl}a.pdf#page=2`, `${baseUrl}c.mp4`],
    });
  });

  it('is nothing that is written in a comment, a script or a text field', async () => {
    const body = `<!-- <img src="a.png"> --><script>"<img src='b.png'>"</script><textarea><img src="c.png"></textarea>
      <style><img src="d.png"></style><svg><image src="e.png"/></svg><title><img src="f.png"></title>`;
    expect(await requestMedia([body], rules)).toEqual({ images: [], files: [] });
  });

  it('contains files whose extension is written with references, tabs or line ends', async () => {
    const body =
      '<a href="a&period;pdf">x</a><a href="b.p\tdf">x</a><a href="c.\npd\nf">x</a><a href="d.&#112;df">x</a><a href="e.p&Tab;df">x</a><a href="f.PDF">x</a>';
    const names = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf', 'f.PDF'];
    for (const [at, link] of (body.match(/<a.*?<\/a>/gs) ?? []).entries()) {
      expect((await requestMedia([link], rules)).files).toEqual([baseUrl + names[at]]);
    }
  });

  it('contains every file that a tag of the body names, whatever the text of the body is', {
    tags: 'property',
  }, async () => {
    const tags = fc.oneof(addressTag, fileLink, arbitraryBody);
    await fc.assert(
      fc.asyncProperty(fc.array(tags, { maxLength: 3 }), async (parts) => {
        const body = parts.join('');
        const { images, files } = await requestMedia([body], rules);
        expect(new Set([...images, ...files])).toEqual(namedMedia(body));
      }),
      { numRuns: runs(5000) },
    );
  });

  it('never throws, and finds only valid URLs', { tags: 'property' }, async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryAddress, async (address) => {
        const { images, files } = await requestMedia(
          [`<a href="${address}"></a><img src="${address}" srcset='${address}'><video poster=${address}>`],
          rules,
        );
        for (const found of [...images, ...files]) expect(parseUrl(found)).not.toBeNull();
      }),
      { numRuns: runs(5000) },
    );
  });
});

const starts = [
  '<script>',
  '</script>',
  '<!--',
  '-->',
  '<svg>',
  '</svg>',
  '<textarea>',
  '<table><tr>',
  '<select>',
  '',
];

/** A tag with a URL in many spellings, in attributes where it counts and where it does not. */
const addressTag = fc
  .tuple(
    fc.constantFrom(...starts),
    fc.constantFrom(
      'img',
      'IMG',
      'image',
      'a',
      'video',
      'audio',
      'source',
      'iframe',
      'video><source',
      'area',
    ),
    fc.constantFrom('src', 'SRC', 'data-src', 'data-original', 'data-lazy-src', 'srcset', 'poster', 'href'),
    fc.constantFrom('="', "='", '=', ' = "'),
    arbitraryAddress,
  )
  .map(
    ([start, tag, name, quote, address]) => `${start}<${tag} ${name}${quote}${address}${quote.slice(-1)}>x`,
  );

/** A link to a file whose name is cut and spelled in many ways. */
const fileLink = fc
  .tuple(
    fc.constantFrom('a href', 'A\nHREF', 'iframe src', 'source src', 'audio data-src'),
    fc.array(
      fc.constantFrom(
        ...['.', 'p', 'd', 'f', 'P', 'png', '.pdf', '.mp4', '.jpeg', '4', '/', '?', '#', ' ', 'x', '%70'],
        ...['\t', '\n', '\r\n', '\u00ad', '\u0001', '\0', '\u017f', '\uff50', '\\', 'https:', '//x.test/'],
        ...['&period;', '&#46;', '&#x70', '&#112', '&Tab;', '&NewLine;', '&amp;', '&sol;', '&nbsp;', '&copy'],
      ),
      { maxLength: 8 },
    ),
  )
  .map(([tag, parts]) => `<${tag}="${parts.join('')}">x</a>`);

describe('the URLs of a body', () => {
  it('are all that the resolvers are asked for', { tags: 'property' }, () => {
    const body = fc
      .array(fc.oneof(addressTag, arbitraryBody), { maxLength: 6 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(body, (html) => {
        const { images, links } = listUrls(html);
        const listedImages = new Set([...images].map((raw) => resolveResource(raw, baseUrl, true)));
        const listedLinks = new Set([...links].map(linkAddress));
        transform(html, {
          ...settings({ baseUrl }),
          resolveImage: (src) => {
            expect(listedImages).toContain(src);
            return { name: null, why: null };
          },
          resolveLink: (href) => {
            const address = absoluteAddress(href, baseUrl);
            // The text of a removed link is asked for only to hide the URLs of hidden articles.
            const isText = html.replace(/>\s+/g, '>').includes(`>${href}`);
            // An editor's player has an id instead of a URL; what is made of it is a page of the provider, never a file.
            const isPlayer = address?.startsWith('https://fast.wistia.net/embed/') === true;
            if (address !== null && !isText && !isPlayer) expect(listedLinks).toContain(address);
            return { kind: 'external' };
          },
        });
      }),
      { numRuns: runs(5000) },
    );
  });
});

/** The images and files of all URLs of a body, each of which is resolved. */
function namedMedia(body: string): ReadonlySet<string> {
  const { images, links } = listUrls(body);
  const isOurs = (address: string | null): address is string =>
    address !== null && (address.startsWith('data:') || rules.hosts.has(new URL(address).host));
  const isFile = (address: string | null): address is string =>
    isOurs(address) && /\.(?:png|jpe?g|gif|webp|avif|pdf|mp4)$/i.test(new URL(address).pathname);
  return new Set([
    ...[...images].map((raw) => resolveResource(raw, baseUrl, true)).filter(isOurs),
    ...[...links].map(linkAddress).filter(isFile),
  ]);
}

function linkAddress(raw: string): string | null {
  const judged = classifyLink(raw);
  return judged.kind === 'web' ? absoluteAddress(judged.href, baseUrl) : null;
}
