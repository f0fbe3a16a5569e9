import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createCorpus } from './corpus/corpus.ts';
import { writePages } from './corpus/write-pages.ts';
import { corpusBaseUrl, writeSnapshot } from './corpus/write-snapshot.ts';

/**
 * `node .bench/bench/generate-corpus.js --out DIR --articles 5000 [--languages en,de,ja] [--seed 1] [--pages]`:
 * writes a project that `lectern build --offline` builds, and with `--pages` the same articles as HTML files.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    articles: { type: 'string', default: '1000' },
    languages: { type: 'string', default: 'en,de,ja' },
    seed: { type: 'string', default: '1' },
    pages: { type: 'boolean', default: false },
  },
});
if (values.out === undefined) throw new Error('--out is missing');
const out = resolve(values.out);
const languages = values.languages.split(',');
const corpus = createCorpus({
  articles: Number(values.articles),
  languages,
  seed: values.seed,
  sample: resolve('sample'),
});
const config = {
  baseUrl: corpusBaseUrl,
  siteUrl: 'https://help.pebblepost.example',
  defaultLanguage: languages[0],
  languages,
  site: { title: 'Pebblepost Help' },
};
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'lectern.config.json'), `${JSON.stringify(config, null, 2)}\n`);
await writeSnapshot(join(out, '.lectern'), corpus, languages[0] ?? 'en');
if (values.pages) writePages(join(out, 'content'), corpus);
