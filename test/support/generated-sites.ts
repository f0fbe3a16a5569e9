import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runLectern } from './lectern.ts';
import { type BuiltSite, measureSite, type SiteMeasure } from './site-gate.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { npmFlags } from './tools.ts';

const run = promisify(execFile);

/** What of a page is its main text, as a person sees it: independent of the selectors in `src`. */
export const shownText = {
  vitepress: {
    content: ['.VPHome', '.vp-doc'],
    out: '.header-anchor, span.lang, .line-numbers-wrapper, .table-of-contents, .footnote-backref',
    apart: '.VPHero span',
  },
  hugo: { content: ['main article'], out: 'a.anchor, .lnt, .ln, .footnote-backref' },
  starlight: {
    content: ['.hero, .sl-markdown-content'],
    out: '.sl-anchor-link, figcaption .sr-only, starlight-file-tree .sr-only, .expressive-code .copy, .data-footnote-backref',
  },
  docusaurus: {
    content: ['article .theme-doc-markdown', 'article .markdown', 'main .markdown', '.main-wrapper'],
    out: '.hash-link, .katex-html, .data-footnote-backref, [class*=codeLineNumber_]',
  },
  eleventy: { content: ['main'], out: 'a.header-anchor, .footnote-backref' },
  material: {
    content: ['article.md-content__inner'],
    out: 'a.headerlink, .linenos, .md-content__button, .md-source-file, .footnote-backref',
  },
  readthedocs: { content: ['[role=main]'], out: 'a.headerlink, .linenos, .footnote-backref, .contents' },
  furo: { content: ['article[role=main]'], out: 'a.headerlink, .linenos, .contents' },
  jekyll: { content: ['.post-content'], out: '.reversefootnote, .gutter, #markdown-toc' },
  mdbook: { content: ['#content main'], out: '.boring, .footnote-definition a[href^="#fr-"]' },
} as const;

/** The sources of a site of ours (`test/sites`). */
export function sourcesOf(name: string): string {
  return join(import.meta.dirname, '../sites', name);
}

/**
 * Builds one of our sites with a generator from npm, which is installed in the folder of the site.
 * @param program the generator's command; `OUT` in it is the folder that it writes
 * @returns the folder with the built site
 */
export async function buildWithPackages(
  name: string,
  packages: readonly string[],
  program: readonly string[],
): Promise<string> {
  const folder = temporaryFolder();
  await cp(sourcesOf(name), folder, { recursive: true });
  // Docusaurus generates scripts that both call `require` and export.
  const type = name === 'docusaurus' ? {} : { type: 'module' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, ...type }));
  await run('npm', ['install', ...npmFlags, '--ignore-scripts', '--legacy-peer-deps', ...packages], {
    cwd: folder,
  });
  const out = join(folder, 'built');
  const args = program.map((arg) => arg.replace('OUT', out));
  // What the runner of the tests sets tells some generators that they do not publish: a draft would be built.
  const { DEV: _dev, PROD: _prod, MODE: _mode, TEST: _test, VITEST: _vitest, ...own } = process.env;
  const env = { ...own, ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
  await run('npx', ['--no-install', ...args], { cwd: folder, env, maxBuffer: 1 << 26 });
  return out;
}

/** Builds one of our sites with an installed program. @returns the folder with the built site */
export async function buildWithProgram(
  name: string,
  program: string,
  args: readonly string[],
): Promise<string> {
  const folder = temporaryFolder();
  const out = join(folder, 'built');
  await cp(sourcesOf(name), join(folder, 'sources'), { recursive: true });
  await run(
    program,
    args.map((arg) => arg.replace('OUT', out)),
    { cwd: join(folder, 'sources') },
  );
  return out;
}

/** Writes the feed of a built site into it, as its authors would, and measures it. */
export async function measureFeed(
  root: string,
  url: string,
  theme: Omit<BuiltSite, 'root' | 'url'>,
): Promise<SiteMeasure> {
  const { code, stdout, stderr } = await runLectern(['feed', root, '--site-url', url], {
    cwd: join(root, '..'),
  });
  if (code !== 0) throw new Error(`lectern feed ended with ${code}: ${stdout}${stderr}`);
  return measureSite({ root, url, ...theme }, join(root, 'feed'));
}
