import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { LecternError, orNull } from '../../core/errors.ts';
import { isPublishedSite, isWithin, readFileIn, relativePath } from '../../core/user-folder.ts';

/** A program that makes a site of a folder, and the files by which it is recognised. */
interface Generator {
  readonly name: string;
  /** Where it writes the site, relative to the folder of the marker; `null` if only its hosted service publishes the site. */
  readonly output: string | null;
  /** Name of the file or folder. */
  readonly marker: RegExp;
  /** What the file must contain, if other programs have files of that name. */
  readonly content?: RegExp;
}

const script = String.raw`\.[cm]?[jt]s$`;

const generators: readonly Generator[] = [
  { name: 'Docusaurus', output: 'build', marker: new RegExp(`^docusaurus\\.config${script}`) },
  { name: 'Docusaurus', output: 'build', marker: /^_category_\.(?:json|ya?ml)$/ },
  { name: 'Astro', output: 'dist', marker: new RegExp(`^astro\\.config${script}`) },
  { name: 'VitePress', output: '.vitepress/dist', marker: /^\.vitepress$/ },
  { name: 'VuePress', output: '.vuepress/dist', marker: /^\.vuepress$/ },
  { name: 'MkDocs', output: 'site', marker: /^mkdocs\.ya?ml$/ },
  { name: 'Zensical', output: 'site', marker: /^zensical\.toml$/ },
  {
    name: 'Hugo',
    output: 'public',
    marker: /^(?:hugo\.(?:toml|ya?ml|json)|_default|_index(?:\.[\w-]+)?\.(?:md|html))$/,
  },
  {
    name: 'Hugo',
    output: 'public',
    marker: /^config\.(?:toml|ya?ml|json)$/,
    content: /^[\s{]*["']?(?:base_?url|contentDir|disableLanguages)["']?\s*[:=]/im,
  },
  { name: 'Jupyter Book', output: '_build/html', marker: /^(?:_toc|myst)\.ya?ml$/ },
  { name: 'Jekyll', output: '_site', marker: /^_config\.(?:ya?ml|toml)$/ },
  { name: 'Lume', output: '_site', marker: /^_config\.[jt]s$/ },
  { name: 'Quarto', output: '_site', marker: /^_quarto\.ya?ml$/ },
  {
    name: 'Sphinx',
    output: '_build/html',
    marker: /^conf\.py$/,
    content: /^(?:extensions|html_theme|master_doc|root_doc|exclude_patterns|project)\s*=/m,
  },
  { name: 'mdBook', output: 'book', marker: /^book\.toml$/ },
  { name: 'GitBook', output: null, marker: /^\.gitbook(?:\.yaml)?$/ },
  // A list of links to pages: mdBook and GitBook publish only the pages in it.
  {
    name: 'GitBook or mdBook',
    output: null,
    marker: /^SUMMARY\.md$/,
    content: /(?:^[ \t]*[*+-] \[[^\]\n]*\]\([^)\n]*\)[ \t]*(?:\r?\n)+){2}/m,
  },
  { name: 'Mintlify', output: null, marker: /^mint\.json$/ },
  { name: 'Mintlify', output: null, marker: /^docs\.json$/, content: /mintlify|"navigation"\s*:/ },
  {
    name: 'Eleventy',
    output: '_site',
    marker: new RegExp(`^(?:eleventy\\.config${script}|\\.eleventy\\.c?js$)`),
  },
  { name: 'Nextra', output: 'out', marker: /^_meta\.(?:json|[jt]sx?)$/ },
  { name: 'Nuxt', output: '.output/public', marker: new RegExp(`^nuxt\\.config${script}`) },
  { name: 'Gatsby', output: 'public', marker: new RegExp(`^gatsby-config${script}`) },
  { name: 'Rspress', output: 'doc_build', marker: new RegExp(`^rspress\\.config${script}`) },
  { name: 'Antora', output: 'build/site', marker: /^antora(?:-playbook)?\.ya?ml$/ },
  { name: 'DocFX', output: '_site', marker: /^docfx\.json$/ },
  { name: 'Pelican', output: 'output', marker: /^pelicanconf\.py$/ },
  { name: 'Retype', output: '.retype', marker: /^retype\.ya?ml$/ },
];

/** Whether a file or folder of this name may belong to a site generator. */
export function isGeneratorName(name: string): boolean {
  return generators.some(({ marker }) => marker.test(name));
}

/** A project of a site generator. */
interface GeneratorProject {
  readonly generator: Generator;
  /** Absolute path of the file or folder by which it was recognised. */
  readonly marker: string;
  /** Absolute path of the folder that contains it. */
  readonly folder: string;
}

/**
 * Refuses a folder of pages that a site generator publishes: its configuration may hide pages, and only the generator knows addresses and
 * what its components say. The configuration may be in the folder, in a folder below that has Markdown, in a folder above within the same
 * repository, or beside one of these if it names the folder. MDX is refused in any case.
 * @param base folder of Lectern's configuration; outside of a repository, folders above are searched up to this one
 * @param files paths of the pages in Markdown, and of what {@link isGeneratorName} is true of, relative to the folder
 * @param isDeclared whether the user says that the pages are plain; then configurations above and beside are another matter
 * @throws GENERATOR_PROJECT
 */
export function refuseGenerators(
  root: string,
  base: string,
  files: { readonly pages: readonly string[]; readonly markers: readonly string[] },
  isDeclared: boolean,
): void {
  const { pages, markers } = files;
  for (const path of markers) {
    const project = recognise(join(root, path));
    if (project === null) continue;
    const inside = relativePath(root, project.folder);
    if (inside === '' || pages.some((page) => page.startsWith(`${inside}/`))) refuse(project, root, base);
  }
  const [mdx] = pages.filter((path) => path.endsWith('.mdx'));
  if (mdx !== undefined)
    throw new LecternError(
      'GENERATOR_PROJECT',
      `${mdx} is MDX, which is code of a site generator, and no Markdown`,
      { hint: `build the site with its own generator, and then point at the result: ${wayOut(anyFolder)}` },
    );
  if (isDeclared) return;
  for (const folder of foldersAbove(root, base)) {
    const project = projectIn(folder) ?? projectBeside(folder, root);
    if (project !== null) refuse(project, root, base);
  }
}

/** @param site the folder of the built site */
function wayOut(site: string): string {
  return `lectern build ${site} for a site and a feed, or lectern feed ${site} for the feed alone`;
}

/** Stands for a folder that is not known. */
const anyFolder = `DIR`;

function refuse({ generator, marker, folder }: GeneratorProject, root: string, base: string): never {
  const { name, output } = generator;
  const shown = (path: string): string => relativePath(base, path) || '.';
  const isAbove = !isWithin(root, folder);
  const steps =
    output === null
      ? `download the site that ${name} publishes, and then point at that folder: ${wayOut(anyFolder)}`
      : `build the site with ${name}, and then point at the result: ${wayOut(shown(join(folder, output)))}`;
  throw new LecternError(
    'GENERATOR_PROJECT',
    `${shown(marker)} belongs to ${name}, whose settings may hide pages, so this folder is not read as plain Markdown`,
    {
      hint: isAbove
        ? `${steps}; if ${name} does not publish this folder, set source.layout to "plain"`
        : steps,
    },
  );
}

/** The folders above, the nearest first: those of the repository, else those up to `base`. */
function foldersAbove(root: string, base: string): readonly string[] {
  if (existsSync(join(root, '.git'))) return [];
  const above: string[] = [];
  for (let folder = dirname(root); ; folder = dirname(folder)) {
    above.push(folder);
    if (existsSync(join(folder, '.git'))) return above;
    if (folder === dirname(folder)) break;
  }
  return above.filter((folder) => isWithin(base, folder));
}

function projectIn(folder: string): GeneratorProject | null {
  const names = [
    ...namesIn(folder),
    ...(existsSync(join(folder, 'config/_default')) ? ['config/_default'] : []),
  ];
  for (const name of names) {
    const project = isGeneratorName(posix.basename(name)) ? recognise(join(folder, name)) : null;
    if (project !== null) return project;
  }
  return null;
}

/** How many levels below a folder projects are looked for: `website/`, `apps/website/`. */
const maxLevels = 2;

/** A project in a subfolder, such as `website/`, whose configuration names the folder of the pages: `path: '../docs'`. */
function projectBeside(folder: string, root: string, level = 1): GeneratorProject | null {
  for (const name of namesIn(folder, true)) {
    const beside = join(folder, name);
    if (name.startsWith('.') || name === 'node_modules' || isWithin(beside, root)) continue;
    if (isPublishedSite(beside)) continue;
    const project = projectIn(beside);
    if (project !== null && readText(project.marker)?.includes(relativePath(beside, root))) return project;
    const below = level < maxLevels ? projectBeside(beside, root, level + 1) : null;
    if (below !== null) return below;
  }
  return null;
}

/** The names in a folder, or of its subfolders only; none if it cannot be listed. */
function namesIn(folder: string, isFolders = false): readonly string[] {
  return (orNull(() => readdirSync(folder, { withFileTypes: true })) ?? [])
    .filter((entry) => !isFolders || entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function recognise(marker: string): GeneratorProject | null {
  const name = basename(marker);
  const generator = generators.find((one) => one.marker.test(name));
  if (generator === undefined) return null;
  const text = generator.content === undefined ? null : readText(marker);
  // A file that cannot be read may be one.
  if (text !== null && generator.content?.test(text) === false) return null;
  if (name !== '_default') return { generator, marker, folder: dirname(marker) };
  return basename(dirname(marker)) === 'config'
    ? { generator, marker, folder: dirname(dirname(marker)) }
    : null;
}

/** Largest configuration that is searched, in bytes. */
const maxConfigBytes = 1024 * 1024;

function readText(path: string): string | null {
  return orNull(() => readFileIn(dirname(path), basename(path), maxConfigBytes).toString());
}
