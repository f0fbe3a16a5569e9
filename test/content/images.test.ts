import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { settings } from './settings.ts';

describe('images', () => {
  it('get their published address and size from the resolver; all but the first load late', () => {
    const asked: string[] = [];
    const { html, images, markdown } = transform(
      '<p><img src="/a.png" alt="One" width="9" border="0"><img src="https://x.test/b.png" alt="" height="20px"></p>',
      settings({
        resolveImage(src) {
          asked.push(src);
          return src.endsWith('a.png')
            ? { src: '/assets/a.1f.png', url: 'https://docs.test/assets/a.1f.png', width: 640, height: 480 }
            : { src, width: null, height: null };
        },
      }),
    );
    expect(asked).toEqual(['https://help.example.com/a.png', 'https://x.test/b.png']);
    expect(html).toBe(
      '<p><img src="/assets/a.1f.png" alt="One" width="640" height="480">' +
        '<img src="https://x.test/b.png" alt="" height="20" loading="lazy"></p>',
    );
    expect(images).toEqual([
      { src: '/assets/a.1f.png', url: 'https://docs.test/assets/a.1f.png', alt: 'One' },
      { src: 'https://x.test/b.png', url: 'https://x.test/b.png', alt: '' },
    ]);
    expect(markdown).toBe('![One](https://docs.test/assets/a.1f.png)![](https://x.test/b.png)\n');
  });

  it('without alt text are published as decoration and reported', () => {
    const { html, images, problems } = transform('<img src="/a.png">', settings());
    expect(html).toBe('<img src="https://help.example.com/a.png" alt="">');
    expect(images[0]?.alt).toBeNull();
    expect(problems.map(({ code }) => code)).toEqual(['IMAGE_ALT_MISSING']);
  });

  it('in data: addresses are published if they are small rasters', () => {
    const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
    expect(transform(`<img src="${pixel}" alt="">`, settings()).html).toBe(`<img src="${pixel}" alt="">`);
  });

  it.each(['javascript:x', 'data:image/svg+xml;base64,PHN2Zz4=', 'data:text/html,x', '', 'http://['])(
    'with the address %j are left out and reported',
    (src) => {
      const { html, problems } = transform(`a<img src="${src}" alt="x">`, settings());
      expect(html).toBe('a');
      expect(problems.map(({ code }) => code)).toEqual(['IMAGE_REFUSED']);
    },
  );

  it.each([
    '<img data-src="/real.png" src="data:image/gif;base64,AAAA" alt="">',
    '<img data-src="/real.png" alt="">',
    '<img srcset="/real.png 1x, /big.png 2x" alt="">',
    '<picture><source srcset="/x.webp"><img src="/real.png" srcset="/big.png 2x" alt=""></picture>',
  ])('that scripts would have loaded are found: %s', (body) => {
    expect(transform(body, settings()).html).toBe('<img src="https://help.example.com/real.png" alt="">');
  });
});
