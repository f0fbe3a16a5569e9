import { afterEach, describe, expect, it } from 'vitest';
import { createMarkdownPool, type MarkdownPool } from '../../../src/source/folder/markdown-pool.ts';
import { renderMarkdown } from '../../../src/source/folder/render-markdown.ts';

const pools: MarkdownPool[] = [];
const create = (...values: Parameters<typeof createMarkdownPool>): MarkdownPool => {
  const pool = createMarkdownPool(...values);
  pools.push(pool);
  return pool;
};
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop();
});

const renderAll = async (pool: MarkdownPool, texts: readonly string[]): Promise<readonly string[]> => {
  const rendered: string[] = [];
  for (const text of texts) rendered.push(await pool.render(text));
  return rendered;
};

describe('createMarkdownPool', () => {
  it('renders much Markdown in threads, as this thread renders it, and can be used again', async () => {
    let here = 0;
    const pool = create(
      false,
      (markdown) => {
        here += 1;
        return { html: renderMarkdown(markdown), isLiteral: false };
      },
      500_000,
    );
    const texts = Array.from(
      { length: 12 },
      (_, at) => `# Page ${at}\n\n${'word '.repeat(18_000)}\n\n> [!tip] T\n> x`,
    );
    const expected = texts.map((text) => renderMarkdown(text));
    expect(await Promise.all(texts.map((text) => pool.render(text)))).toEqual(expected);
    expect(here).toBe(6);
    await pool.stop();
    expect(await pool.render('# Again')).toBe('<h1>Again</h1>');
    expect(here).toBe(7);
  });

  it('reports a text that takes too much work, also from a thread', async () => {
    const deep = `${'> '.repeat(200)}x`;
    const pool = create(false, undefined, 500_000);
    let reports = 0;
    const report = () => {
      reports += 1;
    };
    await pool.render(deep, report);
    await pool.render('x '.repeat(300_000), report);
    expect(await pool.render(deep, report)).toBe(renderMarkdown(deep));
    expect(reports).toBe(2);
  });

  it('renders a text once if it remembers, and returns the result of rendering', async () => {
    const rendered: string[] = [];
    const pool = create(true, (markdown) => {
      rendered.push(markdown);
      return { html: renderMarkdown(markdown), isLiteral: false };
    });
    const texts = ['# A', '# B', '# A', '# B'];
    expect(await renderAll(pool, texts)).toEqual(texts.map((text) => renderMarkdown(text)));
    expect(rendered).toEqual(['# A', '# B']);
  });

  it('removes the least recently used text if it is full', async () => {
    const rendered: string[] = [];
    const pool = create(true, (markdown) => {
      rendered.push(markdown);
      return { html: 'x'.repeat(30 * 1024 * 1024), isLiteral: false };
    });
    await renderAll(pool, ['a', 'b', 'a', 'c', 'a', 'b']);
    expect(rendered).toEqual(['a', 'b', 'c', 'b']);
  });
});
