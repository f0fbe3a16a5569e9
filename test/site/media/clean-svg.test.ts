import { describe, expect, it } from 'vitest';
import { cleanSvg } from '../../../src/site/media/clean-svg.ts';

const clean = (svg: string): string | null => {
  const cleaned = cleanSvg(new TextEncoder().encode(svg));
  return cleaned === null ? null : new TextDecoder().decode(cleaned);
};
const inside = (content: string): string | null => clean(`<svg>${content}</svg>`);

describe('an SVG image', () => {
  it('keeps its drawing', () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 2 2">' +
      '<style>.a{fill:url(#g)}</style><defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs>' +
      '<text x="1">a &amp; b</text><use xlink:href="#g" style="fill:#fff"/><image href="data:image/png;base64,AAAA"/></svg>';
    expect(clean(`<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "a" "b">\n<!-- c -->${svg}\n`)).toBe(svg);
  });

  it.each([
    ['<script>x()</script><g/>', '<g/>'],
    ['<g onload="x()" ONCLICK="x()"/>', '<g/>'],
    ['<foreignObject><div xmlns="http://www.w3.org/1999/xhtml">x</div></foreignObject>', ''],
    ['<a href="https://evil.test">x</a>', ''],
    ['<image href="https://evil.test/a.png"/>', '<image/>'],
    ['<use xlink:href="other.svg#a"/>', '<use/>'],
    ['<use href="&#106;avascript:x()"/>', '<use/>'],
    ['<image href="data:image/svg+xml;base64,AAAA"/>', '<image/>'],
    ['<animate attributeName="href" to="javascript:x()"/><set/>', ''],
    ['<g style="background:url(https://evil.test)"/>', '<g/>'],
    ['<g fill="url(&#34;//evil.test&#34;)"/>', '<g/>'],
    ['<style>@import "https://evil.test/a.css"; a{b:url(//evil.test)}</style>', '<style> a{b:none}</style>'],
    ['<style>a{b:u\\72l(//evil.test)}</style>', '<style></style>'],
    ['<style><![CDATA[a{b:url(x)}]]></style>', '<style>a{b:none}</style>'],
    ['<x:script xmlns:x="http://www.w3.org/2000/svg">x()</x:script>', ''],
    ['<g xmlns="http://www.w3.org/1999/xhtml" xml:base="https://evil.test"/>', '<g/>'],
  ])('with %j is published as %j', (content, shown) => {
    expect(inside(content)).toBe(`<svg>${shown}</svg>`);
  });

  it.each([
    '<!DOCTYPE svg [<!ENTITY a "x">]><svg>&a;</svg>',
    '<svg><g></svg>',
    '<svg/><svg/>',
    '<html><svg/></html>',
    '<svg>',
    '<svg a=b/>',
    'text',
    '<svg>&#0;</svg>',
    `${'<svg>'.repeat(300)}${'</svg>'.repeat(300)}`,
  ])('such as %j is refused', (svg) => {
    expect(clean(svg)).toBeNull();
  });

  it('takes linear time', () => {
    for (const part of ['<!--', '<g a="', '<![CDATA[', '<g ', '<?', '<g>'])
      expect(inside(part.repeat(100_000))).toBeNull();
  }, 20_000);
});
