import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { build } from '../../src/pipeline/library-build.ts';
import { type Tree, writeTree } from '../support/folder-layouts.ts';
import { readTree } from '../support/read-tree.ts';

const mkdocs = { 'mkdocs.yml': 'site_name: Bikes & more\n', 'docs/index.md': '# Start\n\nText.' };

test.each<[string, Tree, Readonly<Record<string, string>>, string]>([
  ['of the site generator', mkdocs, {}, 'Bikes &amp; more'],
  ['of the settings', mkdocs, { title: 'Acme' }, 'Acme'],
  ['"Help centre" without both', { 'start.md': '# Start\n\nText.' }, {}, 'Help centre'],
])('the name of a site is that %s', async (_what, files, site, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-title-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeTree(join(folder, 'kb'), files);
  await build({ source: { kind: 'folder', path: 'kb' }, site }, { folder, apiKey: '' });
  const output = await readTree(join(folder, 'dist'));
  expect(output.get('en/index.html')?.toString()).toContain(`<title>${expected}</title>`);
});
