import { describe, expect, it } from 'vitest';
import { readForAuthor, transform } from '../../src/content/transform.ts';
import { compareMarkdown } from './parity.ts';
import { settings } from './settings.ts';

function publish(body: string) {
  const document = transform(body, settings());
  expect(compareMarkdown(document)).toEqual([]);
  return document;
}

describe('numbered lists', () => {
  it('keep type, start, value and reversed as the author wrote them', () => {
    const body = '<ol type="a" start="3" reversed>\n<li value="5">x</li></ol>';
    expect(publish(body).html).toBe(body);
  });

  it('of letters have these in Markdown and text, so that "see step b" means something', () => {
    const { markdown, text, blocks } = publish(
      '<ol type=a><li>Open</li><li><p>Close</p><p>it</p></li><li><ul><li>x</ul></ol>',
    );
    expect(markdown).toBe('- a. Open\n\n- b. Close\n\n  it\n\n- c.\n\n  - x\n');
    expect(text).toBe('a. Open\nb. Close\n  it\n  - x');
    expect(blocks.map(({ type, items }) => [type, items.length])).toEqual([['steps', 3]]);
  });

  it.each([
    ['type=A start=26', 'Z. x\nAA. y'],
    ['type=i start=4', 'iv. x\nv. y'],
    ['type=I start=1999', 'MCMXCIX. x\nMM. y'],
    ['style="list-style-type:upper-roman"', 'I. x\nII. y'],
    ['type=a start=0', '0. x\na. y'],
    ['type=1 start=-1', '-1. x\n0. y'],
  ])('with %s are numbered as on the page', (attributes, text) => {
    const document = publish(`<ol ${attributes}><li>x</li><li>y</li></ol>`);
    expect(document.text).toBe(text);
    expect(document.markdown.replace('0\\.', '0.')).toBe(`- ${text.replace('\n', '\n- ')}\n`);
  });

  it('end before the text that follows them in an item', () => {
    const { markdown } = publish('<ol><li><ol><li>a</li></ol>b<ol><li>c</li></ol></li></ol>');
    expect(markdown).toBe('1. 1. a\n\n   b\n   1. c\n');
  });

  it('go on with the value of an item', () => {
    const { markdown, text } = publish('<ol><li>a</li><li value=5>b</li><li>c</li></ol>');
    expect(markdown).toBe('1. a\n\n5) b\n6) c\n');
    expect(text).toBe('1. a\n5. b\n6. c');
  });

  it('count the items without text between others', () => {
    const { html, markdown } = publish(
      '<ol start="3"><li>a</li><li hidden></li><li><br></li><li></li><li>b</li><li></li></ol>',
    );
    expect(html).toBe('<ol start="3">\n<li>a</li>\n<li value="6">b</li></ol>');
    expect(markdown).toBe('3. a\n\n6) b\n');
  });

  it('count down when reversed', () => {
    const { markdown, text } = publish('<ol reversed><li>a</li><li>b</li></ol>');
    expect(markdown).toBe('2. a\n\n1) b\n');
    expect(text).toBe('2. a\n1. b');
  });

  it('count down within an item', () => {
    const { markdown } = publish(
      '<ul><li>x<ol reversed start=9><li>a</li><li>b</li></ol></li><li>y</li></ul>',
    );
    expect(markdown).toBe('- x\n\n  9. a\n\n  8) b\n- y\n');
  });

  it('are HTML in the Markdown of an author', () => {
    const body = '<ol type="a"><li>x</li></ol>';
    expect(readForAuthor(body, settings()).markdown.replaceAll('\n', '')).toBe(body);
  });
});

describe('running text', () => {
  it('writes keys and output as code in Markdown', () => {
    const { html, markdown, text } = publish(
      '<p>Press <kbd><kbd>Ctrl</kbd>+<kbd>C</kbd></kbd>, see <samp>^C</samp></p>',
    );
    expect(html).toBe('<p>Press <kbd>Ctrl+C</kbd>, see <samp>^C</samp></p>');
    expect(markdown).toBe('Press `Ctrl+C`, see `^C`\n');
    expect(text).toBe('Press Ctrl+C, see ^C');
  });

  it('marks deleted text in text, so that it does not join what replaces it', () => {
    const { markdown, text } = publish('<p>Only <del>10</del>5 € <s>or <br>less </s></p>');
    expect(markdown).toBe('Only ~~10~~5 € ~~or  \nless~~\n');
    expect(text).toBe('Only ~~10~~5 € ~~or~~\n~~less~~');
  });
});
