/**
 * How well readers find articles with the search that `build` publishes: judged queries (`bench/search/judged.ts`) and questions with known answers, to
 * Lectern's search and to Pagefind, on the same pages.
 *
 *     npm run bench:search -- KNOWLEDGE_BASE.json… [QUESTIONS.json…] [--limit N] [--pagefind] [--misses]
 *
 * A knowledge base holds `{articles, categories}` as the API gives them; its name without `.json` is the base of judged queries. `questions`, in it or in a
 * file of their own behind it, hold `question`, `language` and `gold_article_id`; `--limit` asks only the first ones of each language. Pagefind is fetched from npm into
 * the temporary folder and asked in Chromium (`CHROMIUM_PATH`).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { openSearch } from '../test/site/support/search-site.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { publishSite, type Records } from '../test/support/publish-site.ts';
import { type SiteFiles, serveFiles } from '../test/support/static-server.ts';
import { findTool } from '../test/support/tools.ts';
import { judgedQueries } from './search/judged.ts';

/** URLs of a query's results, best first. */
type Ask = (language: string, query: string) => Promise<readonly string[]>;

/** A query and the article that answers it. */
interface AskedQuery {
  readonly group: string;
  readonly language: string;
  readonly query: string;
  readonly articleId: string;
}

interface Question {
  readonly question: string;
  readonly language: string;
  readonly gold_article_id: string;
}

/** Numbers of queries whose article is first, among three or among ten. */
interface Score {
  asked: number;
  first: number;
  third: number;
  tenth: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string', default: 'Infinity' },
    pagefind: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
  },
});
const scores = new Map<string, Map<string, Score>>();
const tools = join(tmpdir(), 'lectern-bench/tools');
const browser = values.pagefind ? await openPagefind() : null;
for (const { records, queries } of readBases(positionals)) {
  const { files } = await publishSite(records);
  await judge('Lectern', queries, lectern(files));
  if (browser !== null) await withPagefind(browser, files, (ask) => judge('Pagefind', queries, ask));
}
await browser?.close();
print();

/** Knowledge bases with everything that is asked of them. */
function readBases(paths: readonly string[]) {
  const bases: { readonly records: Records; readonly queries: AskedQuery[] }[] = [];
  for (const path of paths) {
    const name = basename(path, '.json');
    const { questions = [], ...records } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Records> & {
      readonly questions?: readonly Question[];
    };
    const { articles } = records;
    if (articles !== undefined)
      bases.push({
        records: { ...records, articles },
        queries: judgedQueries.filter(({ base }) => base === name).map(({ base, ...query }) => query),
      });
    const queries = bases.at(-1)?.queries;
    if (queries === undefined) throw new Error(`${path} has no articles, and no knowledge base before it`);
    const asked = new Map<string, number>();
    for (const { question: query, language, gold_article_id: articleId } of questions) {
      const before = asked.get(language) ?? 0;
      asked.set(language, before + 1);
      if (before < Number(values.limit))
        queries.push({ group: `${name}, ${language}`, language, query, articleId });
    }
  }
  return bases;
}

async function judge(name: string, queries: readonly AskedQuery[], ask: Ask): Promise<void> {
  for (const { language, group, query, articleId } of queries) {
    const found = await ask(language, query);
    const rank = found.findIndex((href) => href.includes(articleId));
    const groups = scores.get(name) ?? new Map<string, Score>();
    scores.set(name, groups);
    const score = groups.get(group) ?? { asked: 0, first: 0, third: 0, tenth: 0 };
    groups.set(group, score);
    score.asked += 1;
    if (rank === 0) score.first += 1;
    if (rank >= 0 && rank < 3) score.third += 1;
    if (rank >= 0 && rank < 10) score.tenth += 1;
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

/** One line per group, then one for all: asked, and first, among three and among ten of each search. */
function print(): void {
  const names = [...scores.keys()];
  console.log(`| queries | | ${names.map((name) => `${name} @1 | @3 | @10`).join(' | ')} |`);
  console.log(`|---|--:|${'--:|--:|--:|'.repeat(names.length)}`);
  const groups = [...(scores.get('Lectern')?.keys() ?? [])];
  const line = (title: string, own: readonly string[]): void => {
    const total = (name: string, key: keyof Score): number =>
      own.map((group) => scores.get(name)?.get(group)?.[key] ?? 0).reduce((sum, count) => sum + count, 0);
    const cells = names.map((name) =>
      [total(name, 'first'), total(name, 'third'), total(name, 'tenth')].join(' | '),
    );
    console.log(`| ${title} | ${total('Lectern', 'asked')} | ${cells.join(' | ')} |`);
  };
  for (const group of groups) line(group, [group]);
  line('all', groups);
}
