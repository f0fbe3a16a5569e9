import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Command } from './measure.ts';

/** One line of the table: a build that is measured repeatedly on the same corpus. */
export interface Contestant {
  readonly name: string;
  /** Prepares the files for a run; not measured. */
  readonly prepare: (run: number) => void | Promise<void>;
  readonly commands: readonly Command[];
  /** Folder of its cache. */
  readonly cache?: string;
}

const bench = resolve('bench');

/** Hugo with the site alone, also with feed templates, and followed by Pagefind if that is installed. */
export function hugoContestants(
  work: string,
  languages: readonly string[],
  tools: string,
): readonly Contestant[] {
  writeFileSync(join(work, 'languages.toml'), languagesToml(languages));
  const hugo = (out: string, files: readonly string[]): Command => ({
    file: 'hugo',
    args: [
      '--quiet',
      '--destination',
      out,
      '--config',
      [...files.map((name) => join(bench, 'hugo', name)), 'languages.toml'].join(','),
    ],
    cwd: work,
    env: { HUGO_LAYOUTDIR: join(bench, 'hugo/layouts') },
  });
  const empty = (out: string) => () => rmSync(join(work, out), { recursive: true, force: true });
  const withFeed = hugo('hugo-feed', ['hugo.toml', 'feed.toml']);
  const pagefind = join(tools, 'node_modules/.bin/pagefind');
  const contestants: Contestant[] = [
    { name: 'Hugo, site only', prepare: empty('hugo'), commands: [hugo('hugo', ['hugo.toml'])] },
    { name: 'Hugo, site and feed', prepare: empty('hugo-feed'), commands: [withFeed] },
  ];
  if (existsSync(pagefind)) {
    const index = { file: pagefind, args: ['--site', 'hugo-feed'], cwd: work };
    contestants.push({
      name: 'Hugo, site and feed, then Pagefind',
      prepare: empty('hugo-feed'),
      commands: [withFeed, index],
    });
  }
  return contestants;
}

/** Eleventy with the site alone. */
export function eleventyContestants(work: string, tools: string): readonly Contestant[] {
  const program = join(tools, 'node_modules/.bin/eleventy');
  if (!existsSync(program)) return [];
  return [
    {
      name: 'Eleventy, site only',
      prepare() {
        rmSync(join(work, 'eleventy'), { recursive: true, force: true });
        mkdirSync(join(work, 'eleventy'));
        cpSync(join(bench, 'eleventy/eleventy.config.js'), join(work, 'eleventy.config.js'));
      },
      commands: [
        {
          file: process.execPath,
          args: [program, '--config', 'eleventy.config.js', '--output', 'eleventy', '--quiet'],
          cwd: work,
          // Relative, because Eleventy accepts only relative folders.
          env: { CORPUS_LAYOUTS: relative(work, join(bench, 'eleventy/_includes')) },
        },
      ],
    },
  ];
}

function languagesToml(languages: readonly string[]): string {
  const tables = languages.map(
    (tag, index) =>
      `[languages.${tag}]\ncontentDir = "content/${tag}"\nlanguageName = "${tag}"\nweight = ${index + 1}\n`,
  );
  return tables.join('\n');
}
