import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { docsPage } from '../../src/core/docs-page.ts';

const source = join(import.meta.dirname, '../../src');

it('names the installed page, and no hint a page of the docs of the reader', () => {
  expect(docsPage('settings.md')).toBe(join('docs', 'settings.md'));
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const named: string[] = [];
  const pages: string[] = [];
  for (const name of files) {
    const text = readFileSync(join(source, name), 'utf8');
    pages.push(...[...text.matchAll(/docsPage\('([^']+)'\)/g)].map(([, page = '']) => page));
    for (const line of text.split('\n')) {
      const isComment = /^\s*(?:\*|\/\*\*|\/\/)/.test(line) || line.includes('.describe(');
      if (!isComment && /['"`][^'"`]*\bdocs\/[a-z-]+\.(?:md|json)/.test(line))
        named.push(`${name}: ${line.trim()}`);
    }
  }
  expect(named).toEqual([]);
  const used = [...new Set(pages)].sort();
  expect(used).toEqual(['content.md', 'openapi.json', 'settings.md', 'templates.md']);
  for (const page of used) expect(readFileSync(join(source, '../docs', page), 'utf8')).not.toBe('');
});
