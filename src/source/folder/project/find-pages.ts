import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { problem } from '../../../core/problems.ts';
import { commonMarkup } from '../markup/common.ts';
import { loadsMath, withDollars } from '../markup/math.ts';
import { starlightMarkup } from '../markup/starlight.ts';
import { readTextInside } from '../safe-files.ts';
import { type ProjectConfig, readConfigs } from './config.ts';
import { readDocusaurusProject } from './docusaurus-project.ts';
import { readHugoProject } from './hugo-project.ts';
import { readJekyllProject } from './jekyll-project.ts';
import { readMkDocsProject } from './mkdocs-project.ts';
import type { PageRules } from './project-pages.ts';
import { findFolder, type PlainProject, type ProjectPages, plainProject } from './project-pages.ts';
import { readVitePressProject } from './vitepress-project.ts';

const everyFile: PageRules = {
  ignores: () => false,
  needsFrontMatter: false,
  fieldsOf: () => ({}),
  pathOf: null,
  cascade: [],
};

/** Finds the pages of a project. @param has whether a file or folder of it exists */
type FindPages = (config: ProjectConfig, has: (path: string) => boolean) => ProjectPages;

/** How the pages of generators are found, and in which folders their images are. */
const generators: Readonly<
  Record<ProjectConfig['generator'], { readonly pages: FindPages; readonly assets: readonly string[] }>
> = {
  docusaurus: { pages: readDocusaurusProject, assets: ['static'] },
  starlight: { pages: readStarlightProject, assets: ['public', 'src/assets'] },
  hugo: { pages: readHugoProject, assets: ['static', 'assets'] },
  mkdocs: { pages: readMkDocsProject, assets: [] },
  vitepress: { pages: readVitePressProject, assets: ['public', 'docs/public'] },
  jekyll: { pages: readJekyllProject, assets: [''] },
};

/** Finds the folder of the pages in a project of a site generator, by its configuration. Other folders contain the pages directly. */
export function findPages(root: string): PlainProject {
  const has = (path: string): boolean => existsSync(join(root, path));
  let other = plainProject([]);
  for (const config of readConfigs(root)) {
    const { pages, assets } = generators[config.generator];
    const found = pages(config, has);
    const { folders, markup = commonMarkup, translations, prefixes, ...project } = found;
    if (folders.length === 0) {
      // Pages that are elsewhere are not guessed, and what the configuration hides stays hidden.
      if (other.mistakes.length === 0) other = found;
      continue;
    }
    const languages = translations !== undefined && has('i18n') ? listFolders(join(root, 'i18n')) : [];
    const trees = [
      ...folders.map((one) => ({ folder: one, language: null, prefix: prefixes?.get(one) ?? '' })),
      ...languages.map((language) => ({
        folder: `i18n/${language}/${translations}`,
        language,
        prefix: '',
      })),
    ];
    const existing = trees.filter((tree) => has(tree.folder));
    const problems = config.unread.map(({ message }) =>
      problem('NAVIGATION_UNREAD', message, { file: config.file }),
    );
    return {
      trees: existing,
      assets: assets.filter(has),
      pages: everyFile,
      ...project,
      problems: [...problems, ...project.problems],
      config,
      markup,
    };
  }
  const { folders: _, markup: __, ...project } = other;
  const trees = [{ folder: '', language: null, prefix: '' }];
  return { trees, assets: [], markup: commonMarkup, pages: everyFile, ...project, config: null };
}

/** Names of the subfolders. */
function listFolders(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Starlight keeps its pages in one folder. */
function readStarlightProject({ root, file }: ProjectConfig, has: (path: string) => boolean): ProjectPages {
  const isMath = loadsMath(readTextInside(root, file));
  const markup = isMath ? withDollars(starlightMarkup) : starlightMarkup;
  return { ...findFolder('src/content/docs', file, has), markup };
}
