import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

it.each(pages)('%s links only to existing targets', (page) => {
  const text = readFileSync(join(root, page), 'utf8')
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, '');
  const targets = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  const local = targets.filter((target) => !/^[a-z]+:/.test(target));
  expect(local.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
});

it('docs/sources.md says which sources there are, and the README what was not tried', () => {
  const sources = readFileSync(join(root, 'docs/sources.md'), 'utf8');
  for (const target of ['#a-folder', '#a-built-site', 'service.md', '#zendesk-guide'])
    expect(sources.slice(0, sources.indexOf('\n## '))).toContain(`](${target})`);
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('**not yet run against the live service**');
});
