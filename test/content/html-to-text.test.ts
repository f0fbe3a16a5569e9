import { describe, expect, it } from 'vitest';
import { htmlToText } from '../../src/content/write/write-text.ts';

describe('htmlToText', () => {
  it('gives one line per block, without markup', () => {
    expect(htmlToText('<h2>A</h2><p>One <b>two</b><br>three</p><ul><li>x</li><li>y</li></ul>')).toBe(
      'A\nOne two\nthree\nx\ny',
    );
  });

  it('joins cells and words as a reader would', () => {
    expect(htmlToText('<table><tr><td>1</td><td>2</td></tr></table>in<i>side</i>')).toBe('1\n2\ninside');
  });

  it('decodes every character reference once, as a browser does', () => {
    expect(htmlToText('1 &lt; 2 &amp;amp; &#233;&#xe9;&hellip;&nbsp;x &unknown; &#0;&#x110000;')).toBe(
      '1 < 2 &amp; éé… x &unknown; \ufffd\ufffd',
    );
    expect(htmlToText('caf&eacute; &Ouml;l &euro;5 &copy 2026 &#150; &notin; so&shy;ft')).toBe(
      'café Öl €5 © 2026 – ∉ soft',
    );
  });

  it('drops scripts, styles and comments, even if they are not closed', () => {
    expect(htmlToText('a<script>x()</script >b <!-- c -->d<STYLE>e</STYLE>f')).toBe('a b d f');
    expect(htmlToText('key<!-- c -->board')).toBe('keyboard');
    expect(htmlToText('a<script>never closed <p>b</p>')).toBe('a');
  });

  it('drops what players show if a browser cannot play them', () => {
    expect(htmlToText('a<iframe src="/x"><p>no <b>frames</b></p></iframe>b')).toBe('a b');
    expect(htmlToText('a<video><source src="/x">no video</video>b')).toBe('a b');
  });

  it.each(['<script>', '<', '<a', '<!--', '</', '<p <p', '&#'])(
    'reads a megabyte of %s without getting stuck',
    (piece) => {
      expect(htmlToText(piece.repeat(1_000_000 / piece.length)).length).toBeLessThanOrEqual(1_000_001);
    },
  );
});
