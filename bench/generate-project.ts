import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Replaces a folder by a project with a generated corpus, in a separate process, so that its memory is freed afterwards.
 * @param hasPages whether to write the articles also as HTML files for other programs
 */
export function generateProject(
  work: string,
  { articles, languages }: { readonly articles: string; readonly languages: string },
  hasPages = false,
): void {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const script = resolve('.bench/bench/generate-corpus.js');
  const args = ['--out', work, '--articles', articles, '--languages', languages];
  const { status } = spawnSync(process.execPath, [script, ...args, ...(hasPages ? ['--pages'] : [])], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the corpus could not be generated');
}
