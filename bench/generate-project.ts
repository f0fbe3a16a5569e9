import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createCorpus } from './corpus/corpus.ts';
import { writePages } from './corpus/write-pages.ts';
import { corpusBaseUrl, writeSnapshot } from './corpus/write-snapshot.ts';
import type { HelpCentreSettings } from './help-centre.ts';

/**
 * Replaces a folder by a project with a generated corpus, which `lectern build --offline` builds, and the same articles as HTML files for other
 * programs.
 */
export async function generateProject(
  work: string,
  { articles, languages }: HelpCentreSettings,
): Promise<void> {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const corpus = createCorpus({ articles, languages, seed: '1', sample: resolve('sample') });
  const [defaultLanguage = ''] = languages;
  writeFileSync(
    join(work, 'lectern.config.json'),
    JSON.stringify({
      baseUrl: corpusBaseUrl,
      siteUrl: 'https://help.pebblepost.example',
      defaultLanguage,
      languages,
      site: { title: 'Pebblepost Help' },
    }),
  );
  await writeSnapshot(join(work, '.lectern'), corpus, defaultLanguage);
  writePages(join(work, 'content'), corpus);
}
