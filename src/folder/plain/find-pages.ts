import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the pages of a project are, relative to its folder. */
export interface PlainProject {
  /** Folders of pages; `language`: of all pages in it, `null` where folders and suffixes say. */
  readonly trees: readonly { readonly folder: string; readonly language: string | null }[];
  /** Folders of images and files that addresses from the top (`/img/a.png`) are looked up in. */
  readonly assets: readonly string[];
}

const generators: readonly { marks: readonly string[]; folder: string; assets: readonly string[] }[] = [
  {
    marks: ['docusaurus.config.js', 'docusaurus.config.ts', 'docusaurus.config.mjs', 'docusaurus.config.cjs'],
    folder: 'docs',
    assets: ['static'],
  },
  {
    marks: ['astro.config.mjs', 'astro.config.js', 'astro.config.ts', 'astro.config.mts'],
    folder: 'src/content/docs',
    assets: ['public', 'src/assets'],
  },
  {
    marks: [
      'hugo.toml',
      'hugo.yaml',
      'hugo.yml',
      'hugo.json',
      'config.toml',
      'config.yaml',
      'config/_default',
    ],
    folder: 'content',
    assets: ['static', 'assets'],
  },
  { marks: ['mkdocs.yml', 'mkdocs.yaml'], folder: 'docs', assets: [] },
];

/**
 * Finds the folder of the pages in the project of a site generator by its configuration file; any other folder holds the pages
 * itself.
 * @param list names of the folders in a folder of the project
 */
export function findPages(root: string, list: (folder: string) => readonly string[]): PlainProject {
  const has = (path: string): boolean => existsSync(join(root, path));
  const generator = generators.find(({ marks, folder }) => marks.some(has) && has(folder));
  if (generator === undefined) return { trees: [{ folder: '', language: null }], assets: [] };
  const { folder } = generator;
  const translations = has('i18n') ? list('i18n') : [];
  return {
    trees: [
      { folder, language: null },
      ...translations
        .map((language) => ({
          folder: `i18n/${language}/docusaurus-plugin-content-docs/current`,
          language,
        }))
        .filter((tree) => folder === 'docs' && has(tree.folder)),
    ],
    assets: generator.assets.filter(has),
  };
}
