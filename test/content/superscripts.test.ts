import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { settings } from './settings.ts';

describe('superscripts and subscripts in text and Markdown', () => {
  it.each([
    ['a footnote after a number', '≥ 1<sup>5</sup> users', '≥ 1(5) users'],
    ['a footnote after a word', 'users<sup>1</sup> and<sup>2, 3</sup>', 'users(1) and(2, 3)'],
    ['a footnote after another one', 'users<sup>1</sup><sup>2</sup>, (b)<sup>2</sup>', 'users(1)(2), (b)²'],
    ['a power of a negative number', '(-3)<sup>2</sup>', '(-3)²'],
    ['a note', '<sup>1</sup> See below', '(1) See below'],
    ['a power of ten', 'about 10<sup>6</sup> rows', 'about 10^6 rows'],
    ['a negative power', '10<sup>-6</sup>', '10^-6'],
    ['a power of a variable', 'x<sup>n</sup> + x<sup>n+1</sup>', 'x^n + x^(n+1)'],
    ['a square', '20 m<sup>2</sup>, 5 cm<sup>3</sup>', '20 m², 5 cm³'],
    ['a square of a variable', 'x<sup>2</sup> + 10<sup>3</sup>', 'x² + 10³'],
    ['a square in a product', 'E = mc<sup>2</sup>, A = πr<sup>2</sup>', 'E = mc², A = πr²'],
    ['a footnote after a short word', 'the app<sup>2</sup>', 'the app(2)'],
    ['a footnote after a plus', 'web + app<sup>2</sup>, − log<sup>3</sup>', 'web + app(2), − log(3)'],
    ['a square in a sum', 'a + mc<sup>2</sup> − πr<sup>2</sup>', 'a + mc² − πr²'],
    ['characters that are superscript already', 'E = mc², x¹, m³, H₂O', 'E = mc², x¹, m³, H₂O'],
    ['an ordinal', 'the 1<sup>st</sup>, the 3<sup>e</sup>', 'the 1st, the 3e'],
    ['a trade mark', 'Lectern<sup>TM</sup> Pro<sup>®</sup>', 'Lectern™ Pro®'],
    ['a formula', 'H<sub>2</sub>O, Ca<sup>2+</sup>', 'H₂O, Ca^(2+)'],
    ['an index', 'V<sub>max</sub>', 'V_max'],
    ['a negative index', 'x<sub>-1</sub>', 'x₋₁'],
    ['a row of hyphens', '<sub>---</sub>', '_(---)'],
    ['bracketed marks', 'a<sup>[1]</sup>', 'a[1]'],
    ['a property of every object', 'a <sup>constructor</sup>', 'a constructor'],
  ])('%s keeps its meaning', (_what, body, text) => {
    const document = transform(`<p>${body}</p>`, settings());
    expect(document.text).toBe(text);
    expect(document.markdown.replaceAll('\\', '').trimEnd()).toBe(text);
  });

  it('a footnote mark keeps its link in Markdown', () => {
    const { markdown, text } = transform(
      '<p>1<sup><a href="#fn">5</a></sup></p><p id="fn">x</p>',
      settings(),
    );
    expect(markdown).toBe('1([5](#fn))\n\nx\n');
    expect(text).toBe('1(5)\nx');
  });

  it.each([
    ['a link below', 'x<sub><a href="#a">2</a></sub>', 'x_[2](#a)'],
    ['a link of a power', 'x<sup><a href="#a">2</a></sup>', 'x^[2](#a)'],
    ['a link of a footnote in brackets', 'x<sup><a href="#a">[2:1]</a></sup>', 'x[[2:1]](#a)'],
    ['a link of a trade mark', 'Lectern<sup><a href="#a">TM</a></sup>', 'Lectern[TM](#a)'],
    ['an image', 'x<sub><img src="https://a.example/b.png" alt="B"></sub>', 'x B'],
  ])('%s is not lost to a character', (_what, body, markdown) => {
    expect(transform(`<p id="a">${body}</p>`, settings()).markdown).toBe(`${markdown}\n`);
  });

  it('headings and table cells keep it, too', () => {
    const { headings, markdown } = transform(
      '<h2>CO<sub>2</sub></h2><table><tr><td>1<sup>5</sup></td><td>b</td></tr></table>',
      settings(),
    );
    expect(headings[0]).toMatchObject({ text: 'CO₂' });
    expect(markdown).toContain('| 1(5) | b |');
  });
});
