import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { settings } from './settings.ts';

describe('formulas', () => {
  it('become MathML, and stay TeX in Markdown and text', () => {
    const { html, markdown, text, problems } = transform(
      '<p>So <math alttext="x^2 &lt; y_1"></math>.</p><p><math display="block"><semantics><mi>EVIL</mi>' +
        '<annotation encoding="application/x-tex">\\frac{a}{b}</annotation></semantics></math></p>',
      settings(),
    );
    expect(problems).toEqual([]);
    expect(html).toBe(
      '<p>So <math><mrow><msup><mi>x</mi><mn>2</mn></msup><mo>&lt;</mo><msub><mi>y</mi><mn>1</mn></msub></mrow></math>.</p>' +
        '\n<p><math display="block"><mfrac><mi>a</mi><mi>b</mi></mfrac></math></p>',
    );
    expect(markdown).toBe('So $x^2 < y_1$.\n\n$$\\frac{a}{b}$$\n');
    expect(text).toBe('So x^2 < y_1.\n\\frac{a}{b}');
  });

  it.each([
    ['<mi>a</mi><mo>=</mo><msup><mi>r</mi><mn>2</mn></msup>', 'a = {r}^{2}'],
    ['<mfrac><mn>1</mn><msqrt><mi>n</mi></msqrt></mfrac>', '\\frac{1}{\\sqrt{n}}'],
    ['<mover><mi>v</mi><mo>→</mo></mover><mtext>50 %</mtext>', '\\vec{v} \\text{50 \\%}'],
    ['<mi>sin</mi><mrow><mi mathvariant="normal">x</mi></mrow>', '\\operatorname{sin} x'],
    ['<mi>a</mi><mo>~</mo><mi>b</mi><mo>^</mo>', 'a \\sim b \\text{\\textasciicircum}'],
    ['<mover><mi>v</mi><mo>~</mo></mover><mover><mi>v</mi><mo>^</mo></mover>', '\\tilde{v} \\hat{v}'],
    ['<mtext>~^\\#</mtext>', '\\text{\\textasciitilde{}\\textasciicircum{}\\textbackslash{}\\#}'],
    [
      '<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>',
      '\\begin{matrix}1 & 2\\end{matrix}',
    ],
  ])('of an editor that keeps no source are written in TeX: %s', (mathml, tex) => {
    const { html, markdown, problems } = transform(`<p><math>${mathml}</math></p>`, settings());
    expect([markdown, problems]).toEqual([`$${tex}$\n`, []]);
    expect(html).toContain('<math>');
  });

  it.each(['#', '$', '%', '&amp;', '_', '{', '}', '\\', '~', '^'])(
    'show a sign that TeX reads as a command: %s',
    (sign) => {
      const shown = sign === '~' ? /[~∼].*~/ : new RegExp(`(?:\\${sign}.*){2}`);
      const { html } = transform(`<p><math><mo>${sign}</mo><mtext>a${sign}b</mtext></math></p>`, settings());
      expect(html.replace(/<[^>]*>/g, '')).toMatch(shown);
    },
  );

  it('never publish what an author wrote as MathML', () => {
    const { html, problems } = transform(
      '<math><mtext href="javascript:x()" onclick="x()">EVIL</mtext></math>' +
        '<math alttext="x"><maction actiontype="statusline#javascript:x()">EVIL</maction></math>',
      settings(),
    );
    expect(html).toBe('');
    expect(problems.map(({ code }) => code)).toEqual(['ELEMENT_DROPPED']);
    for (const hidden of ['style="display:none"', 'hidden', 'class="hidden"']) {
      expect(transform(`<math><mi ${hidden}>EVIL</mi></math>`, settings()).html).toBe('');
    }
  });

  it.each([
    '\\href{javascript:x()}{x}',
    '\\class{evil}{x}',
    '\\style{color:red}{x}',
    '\\id{evil}{x}',
    '\\text{<img src=x onerror=x()>}',
    '\\includegraphics{https://evil.test/a.png}',
    '\\data{x=y}{x}',
    '\\color{red}x',
  ])('are without links, styles and elements: %s', (tex) => {
    const escaped = tex.replaceAll('<', '&lt;');
    const { html } = transform(`<p><math alttext="${escaped}"></math></p>`, settings());
    expect(html.replace(/<code>.*?<\/code>/g, '')).not.toMatch(
      /<(?:img|a|mglyph)\b|<[^>]*\s(?:href|class|style|id|src|on\w+|data-\w+)=/,
    );
  });

  it('that are wrong or too long are shown as code and reported', () => {
    for (const tex of ['\\unknown{x}', '\\frac{', 'x'.repeat(5001), '\\def\\a{\\a\\a}\\a']) {
      const { html, problems } = transform(`<p><math alttext="${tex}"></math></p>`, settings());
      expect(html).toBe(`<p><code>${tex}</code></p>`);
      expect(problems.map(({ code }) => code)).toEqual(['MATH_INVALID']);
    }
  });

  it('have marks that make no pair with those of the text where formulas are not known', () => {
    const body = '<p><math alttext="a*b"></math> c*d</p>';
    expect(transform(body, settings()).markdown).toBe('$a*b$ c\\*d\n');
  });

  it('keep their backslashes in Markdown, where other signs need none', () => {
    const rows = '\\begin{matrix} a \\\\ b \\& c_1 \\end{matrix}';
    const formula = `<math alttext="${rows.replace('&', '&amp;')}"></math>`;
    const { markdown } = transform(
      `<p>[k] &amp;amp <b>${formula}</b></p><table><tr><td>[a]</td><td>${formula}</td></tr><tr><td>1</td><td>2</td></tr></table>`,
      settings(),
    );
    expect(markdown).toBe(`[k] &amp **$${rows}$**\n\n| [a] | $${rows}$ |\n| --- | --- |\n| 1 | 2 |\n`);
  });

  it('do not end a column of a table', () => {
    const { markdown } = transform(
      '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td><math alttext="|x|"></math></td></tr></tbody></table>',
      settings(),
    );
    expect(markdown).toContain('$\\vert x\\vert $');
  });

  it.each([
    ['<math alttext="x"></math><math alttext="y"></math>', '$x$ $y$'],
    ['<math display="block" alttext="x"></math><math alttext="y"></math>', '$$x$$ $y$'],
    ['<math alttext="x"></math>, <math alttext="y"></math>', '$x$, $y$'],
  ])('keep their dollars apart from those of the next formula in Markdown: %s', (body, markdown) => {
    expect(transform(`<p>${body}</p>`, settings()).markdown).toBe(`${markdown}\n`);
  });
});
