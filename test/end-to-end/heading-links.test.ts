import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeTree } from '../support/folder-layouts.ts';
import { runLectern } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('Links to headings of other pages, written as on GitHub, lead to them', async () => {
  const cwd = temporaryFolder();
  writeTree(cwd, {
    'docs/a.md':
      '# A\n\n[one](b.md#whats-new-in-v12) [two](b.md#über-uns) [three](b.md#step-1) [four](b.md#none)',
    'docs/b.md': "# B\n\n## What's new in v1.2?\n\n## Über uns\n\n## Step\n\n## Step\n\nText.",
  });
  const args = ['build', 'docs', '--site-url', 'https://help.example.com'];
  const { code, stdout } = await runLectern(args, { cwd });
  expect(code).toBe(0);
  expect(stdout.match(/names an anchor that the page does not have/g)).toHaveLength(1);
  const page = readFileSync(join(cwd, 'dist/b/index.html'), 'utf8');
  for (const id of ['whats-new-in-v12', 'über-uns', 'step-1'])
    expect(page).toContain(`<span id="${id}"></span>`);
});
