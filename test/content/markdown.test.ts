import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { compareMarkdown } from './parity.ts';
import { settings } from './settings.ts';

const markdown = (body: string): string => transform(body, settings()).markdown;

describe('Markdown', () => {
  it.each([
    ['emphasis without the spaces in it', 'a<strong> b </strong>c<em>d</em>', 'a **b** c*d*\n'],
    ['emphasis beside punctuation', '强调<strong>“重要”</strong>后', '强调“**重要**”后\n'],
    ['no emphasis where Markdown would not read it', 'a<b>?</b>b', 'a?b\n'],
    ['emphasis in emphasis', '<b>a <i>b</i></b><i>c</i>', '**a _b_**_c_\n'],
    ['strikethrough', '<del>a</del>', '~~a~~\n'],
    ['code with backticks', '<code>a`b</code> <code>`</code>', '``a`b`` `` ` ``\n'],
    ['code side by side as one span', '<code>a</code><code>b</code>', '`ab`\n'],
    ['a link in code', '<code>a <a href="/x">b</a></code>', '`a` [`b`](https://help.example.com/x)\n'],
    ['line breaks', '<p>a<br>b</p>', 'a  \nb\n'],
    [
      'no image where a link follows an exclamation mark',
      '!<a href="/x">a</a>',
      '\\![a](https://help.example.com/x)\n',
    ],
    ['brackets in addresses', '<a href="/x_(y)">a</a>', '[a](https://help.example.com/x_%28y%29)\n'],
    [
      'an image in a link',
      '<a href="/x"><img src="/i.png" alt="b]"></a>',
      '[b\\]](https://help.example.com/x)\n',
    ],
    [
      'characters that mean something',
      '*a* [b] `c` <d> e_f_g \\ ~h~ &amp;lt;',
      '*a\\* [b] \\`c\\` e_f_g \\ ~h\\~ \\&lt;\n',
    ],
    ['bare addresses as text', 'https://x.test www.x.test a@x.test', 'https://x.test www.x.test a@x.test\n'],
    [
      'paths, signs and written URLs as they are',
      'C:\\Users\\me 5 * 3 ~5 ~/.x [1] http://www.x.test/_a/~b__c Name: ____',
      'C:\\Users\\me 5 * 3 ~5 ~/.x [1] http://www.x.test/_a/~b__c Name: ____\n',
    ],
    [
      'no backslash where nothing would be read',
      'AT&T Die Benutzer*innen [HY000]: **Breite: **x (*.one) a_b これは_編集_履歴',
      'AT&T Die Benutzer*innen [HY000]: **Breite: **x (\\*.one) a_b これは_編集_履歴\n',
    ],
    ['no link of what only looks like one', '[a](b) [c]: d', '[a\\](b) [c]: d\n'],
    ['no definition whose name has brackets', '<p>[a]:<br>[^1]: b</p>', '[a\\]:  \n\\[^1\\]: b\n'],
    [
      'an image without a text as an image, also in a link',
      'a<img src="/i.png">b <a href="/x"><img src="/i.png" alt=""></a>',
      'a ![](https://help.example.com/i.png) b [![](https://help.example.com/i.png)](https://help.example.com/x)\n',
    ],
    [
      'what looks like a task, a reference in a URL, or a part of a mark',
      '<ul><li>[x] a</li></ul><p>https://x.test/?a&amp;copy;</p><p><s>b ~</s> c<s>\\d</s></p>',
      '- \\[x] a\n\nhttps://x.test/?a\\&copy;\n\n~~b \\~~~ c<del>\\d</del>\n',
    ],
    ['two line breaks as one', 'a<br><br>b', 'a  \nb\n'],
    ['an image apart from the words beside it', 'a<img src="/i.png" alt="b">c', 'a b c\n'],
    ['a line after an image, which is no item', '<img src="/i.png" alt="b"><br>1) c', 'b  \n1\\) c\n'],
    ['no way back from a footnote', 'a <a href="#x">↩</a> <a href="#y">↩<sup>2</sup></a>', 'a\n'],
    ['an image after a line', 'a<br><img src="/i.png" alt="1) b">', 'a  \n1\\) b\n'],
    [
      'quotations in marks, as browsers show them',
      'He said <q>She said <q>yes</q></q><q></q>.',
      'He said "She said "yes"".\n',
    ],
    [
      'starts of lines',
      '<p># a</p><p>1. b</p><p>- c</p><p>&gt; d</p><p>+<br>===</p>',
      '\\# a\n\n1\\. b\n\n\\- c\n\n\\> d\n\n\\+  \n\\===\n',
    ],
  ])('writes %s', (_what, body, expected) => {
    expect(markdown(body)).toBe(expected);
  });

  it.each(['|-', '| :- |', '|', '-|-', '-:|:-', ':-|-', '--', '- | -', '|&nbsp;-'])(
    'keeps a line after a line break from making a table of them: %j',
    (line) => {
      for (const header of ['a', 'a|b', '|a', '<q>a</q>']) {
        expect(compareMarkdown(transform(`<p>${header}<br>${line}</p>`, settings()))).toEqual([]);
      }
    },
  );

  it('does not turn a link after an exclamation mark into an image, even if something between them was dropped', () => {
    expect(markdown('<p>a!<a href="https://x.test/">b</a></p>')).toBe('a\\![b](https://x.test/)\n');
    expect(markdown('<p><b>a</b><i>!</i><a href="https://x.test/">b</a></p>')).toBe(
      '**a**\\![b](https://x.test/)\n',
    );
  });

  it('joins pieces of code whose marks Markdown would not read', () => {
    expect(markdown('<p><code>a</code><i><code>*</code></i>c</p>')).toBe('`a*`c\n');
  });

  it('indents lists under their items, tight if the items are', () => {
    expect(
      markdown(
        '<ol start="9"><li>a<ul><li>b</li></ul></li><li>c</li></ol><ol><li><p>d</p><pre>e</pre></li></ol>',
      ),
    ).toBe('9. a\n   - b\n10. c\n\n1) d\n\n   ```\n   e\n   ```\n');
  });

  it('keeps lists that follow each other apart', () => {
    expect(markdown('<ul><li>a</li></ul><ul><li>b</li></ul><ul><li>c</li></ul>')).toBe('- a\n\n* b\n\n- c\n');
  });

  it('writes terms, quotations, rules and figures', () => {
    expect(
      markdown(
        '<dl><dt>T</dt><dd>D</dd></dl><blockquote>Q<p>R</p></blockquote><hr><figure><img src="/i.png" alt="I"><figcaption>C</figcaption></figure>',
      ),
    ).toBe('**T**\n\nD\n\n> Q\n>\n> R\n\n___\n\nI\n\nC\n');
  });
});

describe('text', () => {
  it('has marks around quotations, also in headings and cells', () => {
    const body =
      '<h2>The <q>new</q> form</h2><table><tr><th>a</th><td><q>b</q></td></tr></table><p><q>c</q></p>';
    const { text, headings, markdown } = transform(body, settings());
    expect(text).toBe('The "new" form\na | "b"\n"c"');
    expect(headings).toEqual([{ level: 2, id: 'the-new-form', text: 'The "new" form' }]);
    expect(markdown).toBe('## The "new" form\n\n| a | "b" |\n| --- | --- |\n\n"c"\n');
  });

  it('has one block per line, list markers and code as it is', () => {
    expect(
      transform(
        '<h2>H</h2><p>a<br>b <a href="/x">c</a></p><ol start=3><li>d<ul><li>e</li></ul></li><li>f</li></ol><pre>g\n  h</pre>',
        settings(),
      ).text,
    ).toBe('H\na\nb c\n3. d\n  - e\n4. f\ng\n  h');
  });
});
