import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('docs/templates.md names every field of the data and every kind of page', () => {
  const views = readFileSync('src/site/pages/views.ts', 'utf8');
  const [, data = ''] = readFileSync('docs/templates.md', 'utf8').split('## Data');
  const names = [...views.matchAll(/readonly (\w+)\??:/g)].map(([, name]) => name as string);
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(data))).toEqual([]);
  const kinds = [...views.matchAll(/kind: '([\w-]+)'/g)].map(([, kind]) => kind as string);
  expect(kinds.filter((kind) => !data.includes(`\`${kind}\``) && kind !== 'shared')).toEqual([]);
});
