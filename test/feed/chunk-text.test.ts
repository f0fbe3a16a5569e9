import { expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { chunkDocument } from '../../src/feed/chunks/chunk-document.ts';
import { chunkText } from '../../src/feed/chunks/chunk-text.ts';
import { feedLimits } from '../../src/feed/feed-limits.ts';
import { loadTokenCounter } from '../../src/feed/tokens/count-tokens.ts';
import { settings } from '../content/settings.ts';

const countTokens = await loadTokenCounter();

function textsOf(body: string): readonly string[] {
  const document = transform(body, settings());
  const { chunks } = chunkDocument(document, feedLimits.chunks, countTokens);
  return chunks.map((cut) => chunkText(document.markdown, { ...cut, title: 'Lockers' }));
}

it('is the headings and the Markdown, with links, code, tables and callouts as they are, and images as their texts', () => {
  const [text] = textsOf(
    '<h2>Open</h2><p>Click <a href="https://x.example/a_(b)">here</a>, <img src="/i.png" alt="the red key"> or http://www.y.example/_z.</p>' +
      '<pre><code class="language-sh">echo [a] *b*</code></pre><table><tr><th>A</th><th>B</th></tr><tr><td>1 | 2</td><td></td></tr></table>' +
      '<div class="callout callout-tip">Mind [this]</div>',
  );
  expect(text).toBe(
    [
      'Lockers › Open\n',
      'Click [here](https://x.example/a_%28b%29), the red key or http://www.y.example/_z.\n',
      '```sh\necho [a] *b*\n```\n',
      '| A | B |\n| --- | --- |\n| 1 \\| 2 |  |\n',
      '> [!TIP]\n> Mind [this]',
    ].join('\n'),
  );
});
