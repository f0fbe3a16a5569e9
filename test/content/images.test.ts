import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { settings } from './settings.ts';

describe('images', () => {
  it('get their published URL and size from the resolver; all but the first load late', () => {
    const asked: string[] = [];
    const { html, images, markdown } = transform(
      '<p><img src="/a.png" alt="One" width="9" border="0"><img src="https://x.test/b.png" alt="" height="20px"><img src="/a.png" alt=""></p>',
      settings({
        resolveImage(src) {
          asked.push(src);
          return src.endsWith('a.png')
            ? { src: '/assets/a.1f.png', url: 'https://docs.test/assets/a.1f.png', width: 640, height: 480 }
            : { src, width: null, height: null };
        },
      }),
    );
    const local = 'https://help.example.com/a.png';
    expect(asked).toEqual([local, 'https://x.test/b.png', local]);
    expect(html).toBe(
      '<p><img src="/assets/a.1f.png" alt="One" width="9" height="7">' +
        '<img src="https://x.test/b.png" alt="" height="20" loading="lazy">' +
        '<img src="/assets/a.1f.png" alt="" width="640" height="480" loading="lazy"></p>',
    );
    expect(images).toEqual([
      { src: '/assets/a.1f.png', alt: 'One' },
      { src: 'https://x.test/b.png', alt: '' },
      { src: '/assets/a.1f.png', alt: '' },
    ]);
    expect(markdown).toBe('One ![](https://x.test/b.png) ![](https://docs.test/assets/a.1f.png)\n');
  });

  it('whose alternative text only says that there is a picture have none in Markdown', () => {
    const body =
      '<blockquote><p><img src="https://x.test/a.png" alt="avatar"></p><p>It pays.</p></blockquote>';
    const { html, markdown } = transform(body, settings());
    expect(html).toContain('alt="avatar"');
    expect(markdown).toBe('> It pays.\n');
    expect(
      transform('<p><img src="https://x.test/a.png" alt="Avatar of Ann"></p>', settings()).markdown,
    ).toBe('Avatar of Ann\n');
  });

  it('without alt text are published as decoration and reported', () => {
    const { html, images, problems } = transform('<img src="/a.png">', settings());
    expect(html).toBe('<img src="https://help.example.com/a.png" alt="">');
    expect(images[0]?.alt).toBeNull();
    expect(problems.map(({ code }) => code)).toEqual(['IMAGE_ALT_MISSING']);
  });

  it.each(['image/jpg', 'image/JPEG', 'Image/jpeg;charset=utf-8'])(
    'in data: URLs of the type %s are those of JPEG',
    (type) => {
      expect(transform(`<img src="data:${type};base64,/9j/4A==" alt="">`, settings()).html).toBe(
        '<img src="data:image/jpeg;base64,/9j/4A==" alt="">',
      );
    },
  );

  it('in data: URLs are published if they are small rasters', () => {
    const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
    expect(transform(`<img src="${pixel}" alt="">`, settings()).html).toBe(`<img src="${pixel}" alt="">`);
  });

  it.each(['javascript:x', 'data:image/svg+xml;base64,PHN2Zz4=', 'data:text/html,x', '', 'http://['])(
    'with the URL %j are replaced by their alternative text, and reported',
    (src) => {
      const { html, problems } = transform(`a<img src="${src}" alt="x">b`, settings());
      expect(html).toBe('a x b');
      expect(problems.map(({ code }) => code)).toEqual(['IMAGE_REFUSED']);
    },
  );

  it.each([
    '<img data-src="/real.png" src="data:image/gif;base64,AAAA" alt="">',
    '<img data-src="/real.png" alt="">',
    '<img src="/placeholder.gif" data-lazy-src="/real.png" alt=""><noscript><img src="/real.png" alt=""></noscript>',
    '<img src="/real.png" data-src="http://[" alt="">',
    '<img src="/real.png" data-src="/{width}.png" alt="">',
    '<img src="/real.png" data-original="true" alt="">',
    '<img data-srcset="/real.png 1x, /big.png 2x" alt="">',
    '<img src="data:image/gif;base64,AAAA" data-lazy-srcset="/real.png 1x, /big.png 2x" alt="">',
    '<img src="data:image/gif;base64,AAAA" alt="">\n<noscript><img src="/real.png"></noscript>',
    '<span><img src="data:image/svg+xml,%3Csvg%3E" alt="" style="position:absolute;width:0;height:0"/><noscript><img srcSet="/real.png 1x, /big.png 2x" src="/real.png" alt=""></noscript></span>',
    '<picture><img style="opacity:0" data-src="/real.png" data-srcset="/big.png 2x" alt=""></picture><noscript><picture><img style="opacity:0" src="/real.png" alt=""></picture></noscript>',
    '<noscript><img src="/real.png" alt=""><img src="/visit.gif" width="1"></noscript>',
    '<noscript><img src="/real.png" alt=""><img src="/visit.gif" height="0px"><p style="display:none"><img src="/visit.gif"></p></noscript>',
    '<img data-src="/real.png" alt=""><br><noscript><img src="/real.png" alt=""></noscript>',
    '<img srcset="/real.png 1x, /big.png 2x" alt="">',
    '<img src="data:image/gif;base64,AAAA" srcset="/real.png 2x" alt="">',
    '<img data-srcset="data:image/gif;base64,AAAA 1x" srcset="/real.png 2x" alt="">',
    '<picture><source srcset="/x.webp"><img src="/real.png" srcset="/big.png 2x" alt=""></picture>',
  ])('that scripts would have loaded are found: %s', (body) => {
    expect(transform(body, settings()).html).toBe('<img src="https://help.example.com/real.png" alt="">');
  });

  it('in the body itself are shown if a script would have made the URL of another one', () => {
    const image = '<img src="data:image/gif;base64,AAAA" data-srcset="/{width}.png 1x" alt="">';
    expect(transform(image, settings()).html).toBe('<img src="data:image/gif;base64,AAAA" alt="">');
  });

  describe('keep the size an author gave', () => {
    const sized = (width: number | null, height: number | null) =>
      settings({ resolveImage: (src) => ({ src, width, height }) });
    const image = (attributes: string) => `<p>a <img src="https://x.test/a.png" alt="" ${attributes}></p>`;

    it.each([
      ['style="width: 24px"', 1600, 1000, ' width="24" height="15"'],
      ['style="width:24px;height:24px"', 1600, 1000, ' width="24" height="15"'],
      ['width="32" height="20"', 1600, 1000, ' width="32" height="20"'],
      ['style="height: 30px"', 1600, 1000, ' width="48" height="30"'],
      ['style="width: 24pt"', null, null, ' width="32"'],
      ['width="640" style="width:320px;height:200px"', null, null, ' width="320" height="200"'],
      ['style="max-width:300px"', 1600, 1000, ' width="300" height="188"'],
      ['style="max-width:300px"', 100, 50, ' width="100" height="50"'],
      ['style="width:50%"', 1600, 1000, ' width="1600" height="1000" class="width-50"'],
      ['width="50%"', 1600, 1000, ' width="1600" height="1000" class="width-50"'],
      ['style="width:auto"', 1600, 1000, ' width="1600" height="1000"'],
      ['style="width:0.2px"', 1600, 1000, ' width="1600" height="1000"'],
    ])('%s of an image of %j × %j pixels', (attributes, width, height, written) => {
      expect(transform(image(attributes), sized(width, height)).html).toBe(
        `<p>a <img src="https://x.test/a.png" alt=""${written}></p>`,
      );
    });
  });

  it.each([
    ['<p><img src="https://x.test/a.png" alt=""></p>', true],
    ['<p><a href="https://x.test/"><img src="https://x.test/a.png" alt=""></a></p>', true],
    ['<figure><img src="https://x.test/a.png" alt=""><figcaption>b</figcaption></figure>', true],
    ['<p>Click on <img src="https://x.test/a.png" alt=""> to display it.</p>', false],
    ['<p><strong>Click <img src="https://x.test/a.png" alt=""></strong></p>', false],
    ['<p><img src="https://x.test/a.png" alt=""><img src="https://x.test/b.png" alt=""></p>', false],
  ])('are marked as blocks only where they are alone: %s', (body, isBlock) => {
    expect(transform(body, settings()).html.includes('class="image-block"')).toBe(isBlock);
  });

  it('with a relative URL are replaced by their alternative text, and reported, if the URL of the help centre is unknown', () => {
    const body =
      '<p>a<img src="images/01.png" alt="x"><img src="https://x.test/b.png" alt=""><video src="v.mp4"></video></p>';
    const { html, images, problems } = transform(body, settings({ baseUrl: null }));
    expect(html).toBe('<p>a x <img src="https://x.test/b.png" alt=""></p>');
    expect(images).toHaveLength(1);
    expect(problems).toEqual([
      { code: 'URL_RELATIVE', message: 'the image "images/01.png" has a relative URL' },
      { code: 'EMBED_REPLACED', message: 'a video without a publishable URL was removed' },
    ]);
  });

  it('with a fragment alone for a URL are replaced by their alternative text, as are players, and reported', () => {
    const body = '<p>a<img src="#" alt="x"><video src="#t=9"></video>b</p>';
    const { html, images, problems } = transform(body, settings({ baseUrl: 'https://x.test' }));
    expect(html).toBe('<p>a x<br>b</p>');
    expect(images).toEqual([]);
    expect(problems.map(({ code }) => code)).toContain('EMBED_REPLACED');
    expect(problems).toHaveLength(2);
  });
});
