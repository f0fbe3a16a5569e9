import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectSearch } from '../consumers/mcp/support/stdio-search.ts';
import { openSearch, type SiteSearcher } from '../site/support/search-site.ts';
import { runLectern } from '../support/lectern.ts';
import { readTree } from '../support/read-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');

/** What newcomers asked, and the page that answers it. */
const questions: readonly (readonly [question: string, page: string])[] = [
  ['how do I start', 'getting-started'],
  ['change the logo', 'site'],
  ['migrate from docusaurus', 'move-your-docs'],
  ['zendesk', 'move-your-docs'],
  ['keep old urls', 'redirects'],
  ['github pages', 'deploy'],
  ['preview a pull request', 'recipes'],
  ['password protected staging', 'recipes'],
  ['google analytics plausible', 'site'],
  ['several products', 'recipes'],
  ['hide a page', 'recipes'],
  ['chatbot quotes an old page', 'recipes'],
  ['publish below a path', 'recipes'],
  ['publish an article later', 'recipes'],
  ['embed passages in pgvector', 'platforms'],
  ['which articles were deleted', 'chatbot-feed'],
  ['connect claude to the help centre', 'mcp'],
  ['sign the feed', 'recipes'],
  ['replace a template', 'templates'],
  ['exit code', 'commands'],
  ['MASS_DELETE', 'deploy'],
  ['dark mode colours', 'site'],
  ['back up the service', 'service'],
  ['proxy certificate', 'settings'],
  ['how long does a build take', 'performance'],
];

let folder: string;
let out: string;
beforeAll(async () => {
  folder = temporaryFolder();
  out = join(folder, 'site');
});

describe('the documentation as a Lectern site', () => {
  let searcher: SiteSearcher;

  it('is published without an error or a warning, with every page in its index', async () => {
    const report = join(folder, 'report.json');
    const flags = ['--strict', '--out', out, '--cache', join(folder, 'cache'), '--report', report];
    const { code, stderr } = await runLectern(['build', ...flags], { cwd: join(root, 'docs') });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(await readFile(join(out, 'feed/en/source.txt'), 'utf8')).toContain('lectern build');
    const files = new Map([...(await readTree(out))].map(([path, bytes]) => [path, bytes.toString('utf8')]));
    const index = files.get('en/index/index.html') ?? '';
    // People who change the code read that page in the repository.
    const pages = readdirSync(join(root, 'docs')).filter(
      (name) => name.endsWith('.md') && name !== 'architecture.md',
    );
    expect(files.has('architecture/index.html')).toBe(false);
    expect(files.get('en/index.html') ?? files.get('index.html')).toContain('a feed that chatbots can trust');
    const unlisted = pages.filter(
      (name) => !new RegExp(`href="/${name.replace(/\.md$/, '')}_?/"`).test(index),
    );
    expect(unlisted).toEqual([]);
    searcher = await openSearch(files, 'en');
  });

  it.each(questions)(
    'answers "%s" within three results of its search, on the page %s',
    async (question, page) => {
      const { results } = await searcher.search(question);
      const found = results.slice(0, 3).map(({ href }) => new URL(href, 'http://localhost').pathname);
      expect(found.map((path) => path.split('/')[1]?.replace(/_$/, ''))).toContain(page);
    },
  );

  it('answers the same questions within three pages through MCP', async () => {
    const search = await connectSearch(out, folder);
    const missed: string[] = [];
    for (const [question, page] of questions) {
      const urls = (await search(question)).map(({ url }) =>
        new URL(url).pathname.split('/')[1]?.replace(/_$/, ''),
      );
      if (![...new Set(urls)].slice(0, 3).includes(page)) missed.push(`${question}: ${urls.join(', ')}`);
    }
    expect(missed).toEqual([]);
  });
});
