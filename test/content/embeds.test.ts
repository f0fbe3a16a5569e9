import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { settings } from './settings.ts';

describe('players', () => {
  it('of trusted hosts stay, titled, late, sandboxed and without cookies', () => {
    const { html, markdown, text } = transform(
      '<h2>Unboxing</h2><iframe width="560" height="315" src="//www.youtube.com/embed/abc_123?autoplay=1" onload="x()"></iframe>',
      settings(),
    );
    expect(html).toContain(
      '<iframe class="embed" src="https://www.youtube-nocookie.com/embed/abc_123" title="Unboxing" width="560" height="315" ' +
        'loading="lazy" referrerpolicy="strict-origin-when-cross-origin" allowfullscreen ' +
        'sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"></iframe>',
    );
    expect(markdown).toBe('## Unboxing\n\n[Unboxing](https://www.youtube.com/watch?v=abc_123)\n');
    expect(text).toBe('Unboxing\nUnboxing');
  });

  it.each([
    ['en', 'Video (YouTube)'],
    ['fr-CA', 'Vidéo (YouTube)'],
    ['zh-TW', '影片 (YouTube)'],
    ['sw', 'Video (YouTube)'],
  ])(
    'without a title or a heading are named after their provider, in the language of the page: %s',
    (language, name) => {
      const { html, markdown, text } = transform(
        '<iframe src="https://www.youtube.com/embed/abc"></iframe>',
        settings({ language }),
      );
      expect(html).toContain(`title="${name}"`);
      expect(markdown).toBe(`[${name}](https://www.youtube.com/watch?v=abc)\n`);
      expect(text).toBe(name);
    },
  );

  it('of a host that is no known provider are named as embedded content', () => {
    const policy = { iframeHosts: ['figma.com'], classes: [], callouts: {} };
    const { markdown } = transform(
      '<iframe src="https://www.figma.com/embed?x"></iframe>',
      settings({ policy, language: 'de' }),
    );
    expect(markdown).toBe('[Eingebetteter Inhalt (www.figma.com)](https://www.figma.com/embed?x)\n');
  });

  it.each(['youtube.com', 'www.youtube.com', 'youtu.be', 'youtube-nocookie.com'])(
    'of YouTube stay if any of its hosts is trusted: %s',
    (host) => {
      const policy = { iframeHosts: [host, 'videos.example.com'], classes: [], callouts: {} };
      for (const src of [
        'https://www.youtube.com/embed/abc',
        'https://youtu.be/abc',
        'https://m.youtube.com/watch?v=abc',
        'https://www.youtube-nocookie.com/embed/abc',
      ]) {
        const { html } = transform(`<iframe src="${src}"></iframe>`, settings({ policy }));
        expect(html).toContain('src="https://www.youtube-nocookie.com/embed/abc"');
      }
    },
  );

  it('of YouTube that play a list lead to the list in Markdown', () => {
    const src = 'https://www.youtube.com/embed/videoseries?si=a&amp;list=PL-1_x';
    const { html, markdown } = transform(`<iframe src="${src}" title="Basics"></iframe>`, settings());
    expect(html).toContain('youtube-nocookie.com/embed/videoseries?si=a&amp;list=PL-1_x"');
    expect(markdown).toBe('[Basics](https://www.youtube.com/playlist?list=PL-1_x)\n');
  });

  it('of YouTube become links if none of its hosts is trusted', () => {
    const policy = { iframeHosts: ['videos.example.com'], classes: [], callouts: {} };
    const { html } = transform('<iframe src="https://youtube.com/embed/a"></iframe>', settings({ policy }));
    expect(html).toBe('<a href="https://youtube.com/embed/a">https://youtube.com/embed/a</a>');
  });

  it.each([
    'https://youtube.com.evil.test/x',
    'https://notyoutube.com/x',
    'http://player.vimeo.com/video/1',
    'https://player.vimeo.com:8443/video/1',
    'https://evil.test/?youtube.com',
  ])('of any other host become a link and a problem: %s', (src) => {
    const { html, problems } = transform(`<iframe src="${src}" title="Demo"></iframe>`, settings());
    expect(html).toBe(`<a href="${src}">Demo</a>`);
    expect(problems.map(({ code }) => code)).toEqual(['EMBED_REPLACED']);
  });

  it.each(['javascript:x', 'data:text/html,x'])('with the URL %s are removed', (src) => {
    expect(transform(`a<iframe src="${src}"></iframe>`, settings()).html).toBe('a');
  });

  it('within a link become text: a link cannot contain a frame', () => {
    expect(
      transform(
        '<a href="/x">a <iframe src="https://youtube.com/embed/1" title="V"></iframe></a>',
        settings(),
      ).html,
    ).toBe('<a href="https://help.example.com/x">a V</a>');
  });
});

describe('video and audio', () => {
  it('keep one source and the controls, and never play by themselves', () => {
    const { html, markdown } = transform(
      '<video autoplay loop muted poster="/p.jpg" width=800><source src="javascript:x"><source src="/clip%20one.mp4">No</video>',
      settings(),
    );
    expect(html).toBe(
      '<video controls preload="metadata" src="https://help.example.com/clip%20one.mp4" poster="https://help.example.com/p.jpg" width="800"></video>',
    );
    expect(markdown).toBe('[clip one.mp4](https://help.example.com/clip%20one.mp4)\n');
  });

  it('publishes no player that is hidden in a block of code', () => {
    const { html, text } = transform(
      '<pre>a<video hidden src="https://media.example/a.mp4"></video></pre>',
      settings(),
    );
    expect(html).not.toContain('a.mp4');
    expect(text).toBe('a');
  });

  it.each(['about:blank', '{{ page }}', 'javascript:x'])(
    'keep their page beside the attribute of a script with %s',
    (value) => {
      const { html } = transform(
        `<iframe src="https://www.youtube.com/embed/x" data-src="${value}"></iframe>`,
        settings(),
      );
      expect(html).toContain('src="https://www.youtube-nocookie.com/embed/x"');
    },
  );

  it.each([
    '<iframe src="https://www.youtube.com/embed/x" />',
    '<iframe src="https://www.youtube.com/embed/x">',
    '<video src="https://x.example/a.mp4" controls />',
    '<audio src="https://x.example/a.mp3">',
  ])('without an end do not take the rest of the article along: %s', (player) => {
    const { markdown, problems } = transform(`<p>a</p>${player}<p>b</p><h2>c</h2>`, settings());
    expect(markdown).toMatch(/^a\n\n\[.+\]\(https:.+\)\n\nb\n\n## c\n$/);
    expect(problems).toEqual([]);
  });

  it('that are written in the body are removed and reported', () => {
    const { html, problems } = transform('<iframe srcdoc="&lt;p>Text"></iframe>', settings());
    expect([html, ...problems.map(({ message }) => message)]).toEqual([
      '',
      'an embedded page that is written in the body was removed',
    ]);
  });
});
