import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { settings } from './settings.ts';

const html = (body: string): string => transform(body, settings()).html;

describe('transform', () => {
  it('gives every form of one body', () => {
    const document = transform(
      '<h1>Reset</h1><p>Press <b>both</b> keys, see <a href="/x">this</a>.</p><ul><li>One</li><li>Two</li></ul>',
      settings(),
    );
    expect(document.html).toBe(
      '<h2 id="reset">Reset</h2>\n<p>Press <b>both</b> keys, see <a href="https://help.example.com/x">this</a>.</p>\n' +
        '<ul>\n<li>One</li>\n<li>Two</li></ul>',
    );
    expect(document.markdown).toBe(
      '## Reset\n\nPress **both** keys, see [this](https://help.example.com/x).\n\n- One\n- Two\n',
    );
    expect(document.text).toBe('Reset\nPress both keys, see this.\n- One\n- Two');
    expect(document.headings).toEqual([{ level: 2, id: 'reset', text: 'Reset' }]);
  });

  it('parts words at the line breaks of Word, PowerPoint and mainframes', () => {
    const body =
      '<h2>Upload\vStations</h2><p>Soft\vreturn, next\x85line, end.\v</p><p><img src="/a.png" alt="Two\vlines"></p><pre>a\vb</pre>';
    const document = transform(body, settings());
    expect(document.headings).toEqual([{ level: 2, id: 'upload-stations', text: 'Upload Stations' }]);
    expect(document.text).toBe('Upload Stations\nSoft return, next line, end.\na b');
    expect(document.markdown).toContain('Soft return, next line, end.\n\nTwo lines\n');
    expect(document.html).not.toMatch(/[\v\x85]/);
  });

  it('gives empty output for an empty body', () => {
    const { html, markdown, text } = transform('', settings());
    expect({ html, markdown, text }).toEqual({ html: '', markdown: '', text: '' });
  });

  it('drops scripts, styles, foreign content and form controls with their content', () => {
    expect(
      html(
        'a<script>alert(1)</script><style>b{}</style><svg><a>x</a></svg><math>y</math><select><option>z</select>b',
      ),
    ).toBe('a b');
  });

  it('leaves one word around a field that nobody sees, and ends the word before one that is seen', () => {
    expect(html('<p>key<input type="hidden" value="x">board</p>')).toBe('<p>keyboard</p>');
    expect(html('<p>key<input>board</p>')).toBe('<p>key board</p>');
  });

  it('starts code in cells of line numbers and lines without a space', () => {
    const rows = '<table><tr><td><pre>1\n</pre></td><td><pre>let a;\n</pre></td></tr></table>';
    expect(transform(`<pre><code>${rows}</code></pre>`, settings()).text).not.toMatch(/^ |\n /);
  });

  it('unwraps unknown elements', () => {
    expect(html('<p>a <webview>Tag</webview> b</p>')).toBe('<p>a Tag b</p>');
  });

  it('keeps no attribute that is not on the list', () => {
    expect(html('<p onclick="x()" style="color:red" data-x="1" srcdoc="y">a</p>')).toBe('<p>a</p>');
  });

  it('removes a link that could run a script, and reports it', () => {
    const { html, problems } = transform('<a href=" java\tscript:alert(1)">text</a>', settings());
    expect(html).toBe('text');
    expect(problems.map(({ code }) => code)).toEqual(['LINK_BROKEN']);
  });

  it('closes running text around a block and carries its formatting inside', () => {
    expect(html('<strong>a<div>b</div>c</strong>')).toBe(
      '<strong>a</strong>\n<div><strong>b</strong></div><strong>c</strong>',
    );
  });

  it('moves white space out of formatting and drops empty elements', () => {
    expect(html('<p>&nbsp;</p><p>a<strong> b </strong>c<em></em></p><div></div>')).toBe(
      '<p>a <strong>b</strong> c</p>',
    );
  });
});
