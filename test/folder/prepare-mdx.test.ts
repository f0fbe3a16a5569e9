import { describe, expect, it } from 'vitest';
import { prepareMdx } from '../../src/folder/prepare-markdown.ts';

describe('prepareMdx', () => {
  it('removes imports, exports and comments, and keeps the text of known components', () => {
    const page = [
      "import Tabs from '@theme/Tabs';",
      'import {',
      '  Card,',
      "} from '@astrojs/starlight/components';",
      'export const layout = 1;',
      '## Install {#install}\n## Größe { #größe }',
      '{/* internal note */}',
      '<Tabs groupId="os">',
      '<TabItem value="mac" label="macOS">',
      'Use `{brew}`.',
      '</TabItem>',
      '</Tabs>',
      '```jsx',
      '<Secret>{x}</Secret>',
      '```',
    ].join('\n');
    const prepared = prepareMdx(page);
    if (prepared.why !== null) throw new Error(prepared.why);
    expect(prepared.components).toEqual(['TabItem', 'Tabs']);
    expect(prepared.text.replace(/\n{2,}/g, '\n').trim()).toBe(
      '## Install {#install}\n## Größe { #größe }\n**macOS**\nUse `{brew}`.\n```jsx\n<Secret>{x}</Secret>\n```',
    );
  });

  it.each([
    ['{isInternal && <b>TOPSECRET</b>}', 'an expression {…}'],
    ['<InternalOnly>\nTOPSECRET\n</InternalOnly>', '<InternalOnly>'],
    ['<Tabs values={[1]}>x</Tabs>', '<Tabs>'],
    ['<>x</>', '<>'],
    ['export const hidden = {\n  a: 1,\n};', 'an expression {…}'],
    ['<Lib.Part />', '<Lib.Part>'],
    ['a `code` {x} `code`', 'an expression {…}'],
  ])('does not read %j, which may hide something', (page, found) => {
    expect(prepareMdx(page).why).toBe(`is MDX with code: ${found}`);
  });
});
