import { describe, expect, it } from 'vitest';
import { commonMarkup } from '../../../src/source/folder/markup/common.ts';
import { renderMarkdown } from '../../../src/source/folder/render-markdown.ts';
import { readPage } from '../../support/read-page.ts';

const mdx = (text: string) => readPage(commonMarkup, text, {}, 'docs/page.mdx');
/** Without empty lines. */
const dense = (text: string): string => text.replace(/\n{2,}/g, '\n').trim();

describe('the syntax that generators share', () => {
  it('removes imports, exports and comments, and shows what known components show', () => {
    const page = [
      "import Tabs from '@theme/Tabs';",
      'import {',
      '  Card,',
      "} from '@astrojs/starlight/components';",
      'export const layout = {',
      '  a: 1,',
      '};',
      '',
      '## Install {#install}',
      '## Größe { #größe }',
      '{/* internal note */}',
      '<Tabs groupId="os">',
      '  <TabItem value="mac" label="macOS">',
      '    Use `{brew}`.',
      '    ```jsx',
      '    <Secret>',
      '      {x}',
      '    ```',
      '  </TabItem>',
      '  <TabItem value="<linux>">',
      '    Use {"apt"}.',
      '  </TabItem>',
      '</Tabs>',
    ].join('\n');
    const { text, unknown } = mdx(page);
    expect(unknown).toEqual([]);
    expect(dense(text)).toBe(
      [
        '## Install {#install}',
        '## Größe { #größe }',
        '<details open>',
        '<summary>macOS</summary>',
        'Use `{brew}`.',
        '```jsx',
        '<Secret>',
        '  {x}',
        '```',
        '</details>',
        '<details>',
        '<summary>&lt;linux&gt;</summary>',
        'Use apt.',
        '</details>',
      ].join('\n'),
    );
  });

  it.each([
    ['{isInternal && <b>TOPSECRET</b>}', '{…}'],
    ['<InternalOnly>\nTOPSECRET\n\n```js\nTOPSECRET\n```\n</InternalOnly>', '<InternalOnly>'],
    ['<InternalOnly>TOPSECRET<InternalOnly>x</InternalOnly>TOPSECRET</InternalOnly>', '<InternalOnly>'],
    ['<InternalOnly>\nTOPSECRET', '<InternalOnly>'],
    ['<Lib.Part x={"TOPSECRET"} />', '<Lib.Part>'],
    ['a `code` {TOPSECRET} `code`', '{…}'],
    ['<div title={x}>{"{" + TOPSECRET}</div>', '{…}'],
    ['{{< hidden >}}', '{…}'],
  ])('publishes %j without what may hide something, and reports it', (page, found) => {
    const { text, unknown } = mdx(`First.\n\n${page}\n\nLast.`);
    expect(text).not.toContain('TOPSECRET');
    expect(text).toContain('First.');
    expect(unknown).toEqual([{ what: found, line: 3 }]);
  });

  it('keeps the place of a component in a list', () => {
    const { text } = mdx('1. One\n\n   <Aside type="tip" title="Try">\n   Text\n   </Aside>\n\n2. Two');
    const html = renderMarkdown(text);
    expect(html).toMatch(
      /<li>\s*<p>One<\/p>\s*<div class="tip-callout">\s*<p><strong>Try<\/strong><\/p>\s*<p>Text/,
    );
    expect(html.match(/<ol>/g)).toHaveLength(1);
  });

  it('names a placeholder that is removed like a comment of a vault', () => {
    const { text, unknown } = readPage(commonMarkup, 'Dear %%FIRST_NAME%%, hello. %%for writers%%');
    expect(text).toBe('Dear , hello. ');
    expect(unknown).toEqual([{ what: '%%FIRST_NAME%%', line: 1 }]);
  });

  it('does not read code', () => {
    const text =
      '```md\n:::note\n!!! note\n{{< x >}}\n```\n\n> ```\n> {{< y >}}\n> ```\n\n- ~~~\n  {{< z >}}\n  ~~~\n\nA `{{< x >}}`.';
    const read = readPage(commonMarkup, text);
    expect(read.unknown).toEqual([]);
    expect(read.text).toBe(text.replaceAll('~~~', '```'));
  });

  it('takes linear time for many backticks, braces and colons', () => {
    for (const part of ['` ', '`` ` ', '<A ', '<A>', '{', '\\`', ':::note\n', '!!! a\n', '<a b={', '> ```\n'])
      readPage(commonMarkup, part.repeat(5000), {}, 'docs/page.mdx');
  }, 60_000);
});
