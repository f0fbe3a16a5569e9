/**
 * How well readers find articles: judged queries (`bench/search/judged.ts`) to Lectern's search and to Pagefind, on the same pages.
 *
 *     npm run bench:search -- KNOWLEDGE_BASE.json… [--pagefind] [--misses]
 *
 * A file holds `{articles, categories}` as the API gives them; its name without `.json` is the base of the queries. Pagefind is
 * fetched from npm into the temporary folder and asked in Chromium (`CHROMIUM_PATH`).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { buildFiles, readBase } from '../test/site/support/build-files.ts';
import { openSearch } from '../test/site/support/search-site.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { type SiteFiles, serveFiles } from '../test/support/static-server.ts';
import { findTool } from '../test/support/tools.ts';
import { type Group, type JudgedQuery, judgedQueries } from './search/judged.ts';

/** URLs of a query's results, best first. */
type Ask = (language: string, query: string) => Promise<readonly string[]>;

interface Score {
  asked: number;
  first: number;
  third: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pagefind: { type: 'boolean', default: false }, misses: { type: 'boolean', default: false } },
});
const scores = new Map<string, Map<Group, Score>>();
const tools = join(tmpdir(), 'lectern-bench/tools');
const browser = values.pagefind ? await openPagefind() : null;
for (const path of positionals) {
  const queries = judgedQueries.filter(({ base }) => base === basename(path, '.json'));
  const { files } = await buildFiles(readBase(readFileSync(path, 'utf8')));
  await judge('Lectern', queries, lectern(files));
  if (browser !== null) await withPagefind(browser, files, (ask) => judge('Pagefind', queries, ask));
}
await browser?.close();
print();

async function judge(name: string, queries: readonly JudgedQuery[], ask: Ask): Promise<void> {
  for (const { language, group, query, articleId } of queries) {
    const found = await ask(language, query);
    const rank = found.findIndex((href) => href.includes(articleId));
    const groups = scores.get(name) ?? new Map<Group, Score>();
    scores.set(name, groups);
    const score = groups.get(group) ?? { asked: 0, first: 0, third: 0 };
    groups.set(group, score);
    score.asked += 1;
    if (rank === 0) score.first += 1;
    if (rank >= 0 && rank < 3) score.third += 1;
    if (rank !== 0 && values.misses) console.error(`${name}: ${language} ${group} "${query}": ${rank + 1}`);
  }
}

function lectern(files: SiteFiles): Ask {
  const searchers = new Map<string, ReturnType<typeof openSearch>>();
  return async (language, query) => {
    const searcher = searchers.get(language) ?? openSearch(files, language);
    searchers.set(language, searcher);
    return (await (await searcher).search(query, 10)).results.map(({ href }) => href);
  };
}

async function openPagefind(): Promise<Browser> {
  const chromium = findTool('chromium');
  if (chromium === null) throw new Error('Pagefind is asked in Chromium, which is not installed');
  run('npm', ['install', '--prefix', tools, '--no-audit', '--no-fund', 'pagefind@1']);
  return launchBrowser(chromium);
}

/** Indexes the `<article>` of article pages, as Pagefind's documentation recommends for pages with navigation. */
async function withPagefind(
  open: Browser,
  files: SiteFiles,
  use: (ask: Ask) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-pagefind-'));
  const pages = [...files].filter(([path]) => /\/article\/.*index\.html$/.test(path));
  for (const [path, content] of pages) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  run(join(tools, 'node_modules/.bin/pagefind'), ['--site', folder, '--root-selector', 'article']);
  const index = join(folder, 'pagefind');
  const served = new Map<string, string | Uint8Array>(pages);
  for (const name of readdirSync(index, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const path = join(name.parentPath, name.name);
    served.set(`pagefind/${path.slice(index.length + 1)}`, readFileSync(path));
  }
  const server = await serveFiles(served);
  const page = await open.newPage();
  let current = '';
  await use(async (language, query) => {
    if (current !== language) {
      const [path] = pages.find(([name]) => name.startsWith(`${language}/`)) ?? [''];
      await page.goto(`${server.origin}/${path}`);
      current = language;
    }
    return (await page.evaluate(`(async () => {
      const pagefind = await import('/pagefind/pagefind.js');
      const { results } = await pagefind.search(${JSON.stringify(query)});
      return Promise.all(results.slice(0, 10).map(async (result) => (await result.data()).url));
    })()`)) as string[];
  });
  await page.close();
  await server.close();
  rmSync(folder, { recursive: true });
}

function run(file: string, args: readonly string[]): void {
  const { status } = spawnSync(file, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${file} failed`);
}

function print(): void {
  const names = [...scores.keys()];
  console.log(`| queries | | ${names.map((name) => `${name} @1 | @3`).join(' | ')} |`);
  console.log(`|---|--:|${'--:|--:|'.repeat(names.length)}`);
  const groups = [...(scores.get('Lectern')?.keys() ?? [])];
  for (const group of groups) {
    const cells = names.map((name) => {
      const { first, third } = scores.get(name)?.get(group) ?? { first: 0, third: 0 };
      return `${first} | ${third}`;
    });
    console.log(`| ${group} | ${scores.get('Lectern')?.get(group)?.asked} | ${cells.join(' | ')} |`);
  }
  const total = (name: string, key: keyof Score) =>
    [...(scores.get(name)?.values() ?? [])].reduce((sum, score) => sum + score[key], 0);
  const cells = names.map((name) => `${total(name, 'first')} | ${total(name, 'third')}`);
  console.log(`| all | ${total('Lectern', 'asked')} | ${cells.join(' | ')} |`);
}
