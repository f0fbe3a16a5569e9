import { describe, expect, it } from 'vitest';
import { commonMarkup } from '../../../src/source/folder/markup/common.ts';
import { loadsMath } from '../../../src/source/folder/markup/math.ts';
import type { Markup } from '../../../src/source/folder/markup/rules.ts';
import { renderMarkdown } from '../../../src/source/folder/render-markdown.ts';
import { readPage } from '../../support/read-page.ts';

const markup: Markup = { ...commonMarkup, math: ['dollars', 'brackets'] };
const render = (text: string): string => renderMarkdown(readPage(markup, text, {}, 'docs/a.mdx').text);

describe('formulas in a page', () => {
  it.each([
    ['$x_1^2 + y_1$', '<math alttext="x_1^2 + y_1"></math>'],
    ['a $\\frac{1}{2}$, $b$.', 'a <math alttext="\\frac{1}{2}"></math>, <math alttext="b"></math>.'],
    ['\\(a * b * c\\)', '<math alttext="a * b * c"></math>'],
    ['$$\na < b % note\n\\\\ c\n$$', '<math display="block" alttext="a &lt; b \\\\ c"></math>'],
    ['\\[a\\]', '<math display="block" alttext="a"></math>'],
  ])('%j is one', (markdown, shown) => {
    expect(render(markdown)).toBe(`<p>${shown}</p>`);
  });

  it.each([
    ['It costs $5 and $10.', 'It costs $5 and $10.'],
    ['US$5, 5$, $ 5 $', 'US$5, 5$, $ 5 $'],
    ['From $5/$10 to $20–$30 (or $40).', 'From $5/$10 to $20–$30 (or $40).'],
    ['\\$x\\$', '$x$'],
    ['`$x$`', '<code>$x$</code>'],
    ['a $b\n\nc$ d', 'a $b</p>\n<p>c$ d'],
  ])('%j is none', (markdown, shown) => {
    expect(render(markdown)).toBe(`<p>${shown}</p>`);
  });

  it('are read if the configuration loads a plugin, not if it is in a comment', () => {
    expect(loadsMath("import remarkMath from 'remark-math';")).toBe(true);
    expect(loadsMath("// import remarkMath from 'remark-math';")).toBe(false);
  });

  it('take linear time', () => {
    for (const part of ['$', '$$', '$a', '\\(', '\\[', '$$a\n', 'a$ ']) readPage(markup, part.repeat(5000));
  }, 30_000);
});
