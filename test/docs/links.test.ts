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

it('README says which sources work, and where they are described', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, section = ''] = /## Where articles come from\n([\s\S]*?)\n## /.exec(readme) ?? [];
  for (const target of ['docs/sources.md', 'docs/service.md', 'docs/openapi.json'])
    expect(section).toContain(`](${target})`);
  expect(section).toContain('| other help-centre products | no |');
});
