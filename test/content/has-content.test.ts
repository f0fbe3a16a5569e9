import { describe, expect, it } from 'vitest';
import { hasContent } from '../../src/content/has-content.ts';
import { transform } from '../../src/content/transform.ts';
import { fc, runs } from '../support/properties.ts';
import { arbitraryBody, arbitraryText } from './arbitrary-body.ts';
import { settings } from './settings.ts';

const emptied = [
  '',
  ' \n',
  '<p><br></p>',
  '<p>&nbsp;</p>',
  '<p>&#160;&#xA0;&zwnj;\u200b\ufeff</p>',
  '<div><br/></div>\n<p></p>',
  '<!-- a > b --><p></p>',
  '<p class="MsoNormal"><o:p>&nbsp;</o:p></p>',
  '<p style="display: none">secret</p>',
  '<div hidden><p>secret</p><div>more</div></div><p><br></p>',
  '<div hidden>secret</div><p>&shy;&zwj;&ZeroWidthSpace;</p>',
  '<table style="display: none"><tr><td>secret</td></tr></table>',
  '<style>p > a { color: red }</style><script>if (a > b) c()</script>',
  '<style>a</style ><style>b</styles>c',
  '<ul><li></li></ul><table><tr><td></td></tr></table><hr>',
  '<p><span data-mce-type="bookmark">\ufeff</span><br data-mce-bogus="1"></p>',
  '<img alt=" "><a href="/x"></a>',
  '<h2><strong>&nbsp;</strong></h2>',
  '<ruby><rt>\u200d</rt></ruby>',
];

describe('a body', () => {
  it.each(emptied)('has no content if it is only %j', (body) => {
    expect(hasContent(body)).toBe(false);
    expect(transform(body, settings()).text).toBe('');
  });

  it.each([
    'a',
    '<p>.</p>',
    '<p>&amp;</p>',
    '<p><img src="https://img.example.net/a.png" alt=""></p>',
    '<p><img alt="A map"></p>',
    '<iframe src="https://www.youtube.com/embed/x"></iframe>',
    '<figure><oembed url="https://youtu.be/x"></oembed></figure>',
    '<lite-youtube videoid="x"></lite-youtube>',
    '<div class="wistia_embed wistia_async_abc">&nbsp;</div>',
    '<ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[x]]></ac:plain-text-body></ac:structured-macro>',
    '<p style="display:none">a</p><p>b</p>',
    '<div hidden><div>a</div></div>b',
    '<div class="a hidden b"><p>a</p></div>',
    '<div role="tabpanel" style="display:none">a</div>',
    '<p hidden>a</p><ac:structured-macro ac:name="jira"></ac:structured-macro>',
    '<style>p { color: red }</style><ac:structured-macro ac:name="jira"></ac:structured-macro>',
    '<style>a</style><p>b</p>',
    '<script type="math/tex">x</script>',
    '<!-- a --><p>b</p>',
    '<p title="x > y"></p>😀',
  ])('has content: %j', (body) => {
    expect(hasContent(body)).toBe(true);
  });

  it('has no content if it is hidden text and a mark of direction', () => {
    expect(hasContent('<p hidden>secret</p><p>&rlm;</p>')).toBe(false);
  });

  it('is not parsed to its end if its start shows a text', () => {
    const text = Buffer.alloc(2_000_000, '<p>Some <b>text</b> of an article.</p>').toString();
    const startMs = performance.now();
    for (const start of ['<p hidden>a</p>', '<style>p { color: red }</style>', '<i aria-hidden="true"></i>'])
      for (let run = 0; run < 10; run++) expect(hasContent(`${start}${text}`)).toBe(true);
    expect(performance.now() - startMs).toBeLessThan(2000);
  });

  it('shows nothing on its page if it has no content', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryBody, arbitraryText), (body) => {
        if (hasContent(body)) return;
        const { text, images, html } = transform(body, settings());
        expect([text, images, html.match(/<(?:iframe|video|audio|math)/)]).toEqual(['', [], null]);
      }),
      { numRuns: runs(3000) },
    );
  });
});
