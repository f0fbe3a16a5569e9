import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { OtherProgram } from './programs.ts';

/** A site generator that reads Markdown, as its documentation says to start with it. */
interface MarkdownGenerator {
  readonly name: string;
  readonly folder: string;
  /** Where its pages are. */
  readonly pages: string;
  readonly out: string;
  readonly packages: readonly string[];
  readonly command: readonly string[];
  /** Configuration by path. */
  readonly files: Readonly<Record<string, string>>;
}

const title = 'Pebblepost Help';
const origin = 'https://help.pebblepost.example';

/**
 * Each makes pages, a sitemap, and what it has for search: VitePress and Starlight (with Pagefind) a search, Docusaurus none. None makes a feed,
 * Markdown copies or redirects. No sidebar lists all pages: it would make each page as large as the site.
 */
const generators: readonly MarkdownGenerator[] = [
  {
    name: 'VitePress',
    folder: 'vitepress',
    pages: 'docs',
    out: 'docs/.vitepress/dist',
    packages: ['vitepress@1.6.4'],
    command: ['node_modules/vitepress/bin/vitepress.js', 'build', 'docs'],
    files: {
      'docs/.vitepress/config.mjs': `export default ${JSON.stringify({
        title,
        ignoreDeadLinks: true,
        sitemap: { hostname: origin },
        themeConfig: { search: { provider: 'local' } },
      })}`,
    },
  },
  {
    name: 'Starlight, on Node 22',
    folder: 'starlight',
    pages: 'src/content/docs',
    out: 'dist',
    packages: ['astro@7.3.5', '@astrojs/starlight@0.42.4', 'sharp@0.34'],
    command: ['node_modules/astro/bin/astro.mjs', 'build'],
    files: {
      'astro.config.mjs': `import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';
const sidebar = [{ label: 'Home', link: '/' }];
export default defineConfig({ site: '${origin}', integrations: [starlight({ title: '${title}', sidebar })] });`,
      'src/content.config.ts': `import { defineCollection } from 'astro:content';
import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };`,
    },
  },
  {
    name: 'Docusaurus',
    folder: 'docusaurus',
    pages: 'docs',
    out: 'build',
    packages: [
      '@docusaurus/core@3.10.2',
      '@docusaurus/preset-classic@3.10.2',
      '@docusaurus/faster@3.10.2',
      'react@19',
      'react-dom@19',
    ],
    command: ['node_modules/@docusaurus/core/bin/docusaurus.mjs', 'build'],
    files: {
      'sidebars.js': "module.exports = { all: [{ type: 'link', label: 'Home', href: '/' }] };",
      'docusaurus.config.js': `module.exports = ${JSON.stringify({
        title,
        url: origin,
        baseUrl: '/',
        onBrokenLinks: 'ignore',
        onBrokenAnchors: 'ignore',
        markdown: { format: 'md' },
        future: { v4: true, faster: true },
        presets: [
          ['classic', { docs: { routeBasePath: '/', sidebarPath: './sidebars.js' }, blog: false, theme: {} }],
        ],
      })};`,
    },
  },
];

/** What they keep between builds. */
const caches = [
  '.docusaurus',
  'node_modules/.cache',
  '.astro',
  'node_modules/.astro',
  'docs/.vitepress/cache',
];

/**
 * Starlight, VitePress and Docusaurus, with the Markdown that Lectern writes of the same pages.
 * @param built a published output with Markdown copies
 * @param install installs packages in a folder
 * @param node22 absolute path of the program `node` for what needs a later version
 */
export function markdownSites(
  built: string,
  work: string,
  install: (folder: string, packages: readonly string[]) => void,
  node22: string,
): readonly OtherProgram[] {
  const pages = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('/index.html.md'),
  );
  return generators.map(({ name, folder, pages: below, out, packages, command, files }) => {
    const project = join(work, folder);
    mkdirSync(project, { recursive: true });
    install(project, packages);
    for (const [path, text] of Object.entries(files)) write(join(project, path), text);
    for (const path of pages) {
      const [language = ''] = path.split('/');
      const page = `${basename(dirname(path)).slice(0, 10)}.md`;
      write(join(project, below, language, page), withTitle(readFileSync(join(built, path), 'utf8')));
    }
    write(join(project, below, 'index.md'), `---\ntitle: ${title}\n---\n`);
    return {
      name,
      prepare() {
        for (const path of [out, ...caches]) rmSync(join(project, path), { recursive: true, force: true });
      },
      commands: [
        {
          file: name.includes('Node 22') ? node22 : process.execPath,
          args: command,
          cwd: project,
          env: { NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' },
        },
      ],
    };
  });
}

/** Of the front matter, only the title; the first heading repeats it. */
function withTitle(page: string): string {
  const [, head = '', body = ''] = /^---\n([\s\S]*?\n)---\n\n# .*\n([\s\S]*)$/.exec(page) ?? [];
  const line = head.split('\n').find((each) => each.startsWith('title: '));
  if (line === undefined) throw new Error(`a page without title: ${page.slice(0, 200)}`);
  return `---\n${line}\n---\n${body}`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
