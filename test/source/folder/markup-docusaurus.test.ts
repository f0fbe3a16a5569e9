import { describe, expect, it } from 'vitest';
import { docusaurusMarkup } from '../../../src/source/folder/markup/docusaurus.ts';
import { readPage } from '../../support/read-page.ts';

const read = (text: string, files = {}) => readPage(docusaurusMarkup, text, files, 'docs/guide/page.md');
/** Without empty lines. */
const dense = (text: string): string => text.replace(/\n{2,}/g, '\n').trim();

describe('a page of Docusaurus', () => {
  it('has tabs, admonitions, sections, code and links, also in .md files', () => {
    const page = [
      "import Tabs from '@theme/Tabs';",
      '',
      "<Tabs values={[{label: 'One <', value: 'a'}, {value: 'b', label: 'Two'}]}>",
      '<TabItem value="a">A</TabItem>',
      '<TabItem value="b">B</TabItem>',
      '</Tabs>',
      '',
      '<details>',
      '<summary>More</summary>',
      'In',
      '</details>',
      '',
      '<CodeBlock language="js" title="a.js">{`a {b}`}</CodeBlock>',
      '',
      '<Link to="/docs/b">See</Link> <img src={useBaseUrl("/img/a.png")} /> <img src={require(\'./b.png\').default} />',
      '',
      ':::tip[Try]',
      'It',
      ':::',
      '',
      '<DocCardList />',
    ].join('\n');
    const { text, unknown } = read(page);
    expect(unknown).toEqual([]);
    expect(dense(text)).toBe(
      [
        '<details open>',
        '<summary>One &lt;</summary>',
        'A',
        '</details>',
        '<details>',
        '<summary>Two</summary>',
        'B',
        '</details>',
        '<details>',
        '<summary>More</summary>',
        'In',
        '</details>',
        '**a.js**',
        '```js',
        'a {b}',
        '```',
        '<a href="/docs/b">See</a> <img src="/img/a.png"> <img src="./b.png">',
        '> [!TIP]',
        '> **Try**',
        '>',
        '> It',
      ].join('\n'),
    );
  });

  it('inserts imported files with literal properties, also those that they import', () => {
    const files = {
      'docs/guide/_a.mdx':
        "---\nx: 1\n---\nimport B from '@site/parts/b.md';\n\nVersion {props.version}\n\n<B />",
      'parts/b.md': 'Part B',
    };
    const page =
      "import A from './_a.mdx'\nimport C from './_c.mdx';\n\n- Item\n\n  <A version=\"2\" />\n\n```\n<A />\n```\n\n<C />";
    const { text, unknown } = read(page, files);
    expect(dense(text)).toBe('- Item\n  Version 2\n  Part B\n```\n<A />\n```');
    expect(unknown).toEqual([{ what: '<C>', line: 12 }]);
  });

  it('is published without components of its own and expressions', () => {
    const { text, unknown } = read('A\n\n<Staff>\nTOPSECRET\n</Staff>\n\n{x && "TOPSECRET"}');
    expect(text.trim()).toBe('A');
    expect(unknown).toHaveLength(2);
  });

  it('takes linear time', () => {
    const head = "import A from './_a.mdx'\n\n";
    for (const part of ['<A ', '<A a={', '`', '```\n', '<A a="'])
      read(head + part.repeat(5000), { 'docs/guide/_a.mdx': '' });
  }, 30_000);
});
