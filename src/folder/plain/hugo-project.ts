import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { entriesOf, parseSettingsFile, settingOf } from '../front-matter.ts';
import { withEmoji } from '../markup/emoji.ts';
import { createHugoMarkup } from '../markup/hugo.ts';
import type { Markup, MathMarks } from '../markup/rules.ts';
import { readTextInside } from '../safe-files.ts';
import type { PageRules } from './page-fields.ts';

/** What the configuration of a Hugo site says about its pages. */
interface HugoPages {
  readonly markup: Markup;
  readonly pages: PageRules;
}

/** Settings that may be in files of their own. */
const ownFiles = ['params', 'markup', 'cascade'];

/**
 * Reads the syntax of the pages, the `cascade` of the site, and which files are pages. Throws an `Error` with a sentence if a file of
 * settings cannot be read.
 * @param configs configuration files in the order in which they apply
 */
export function readHugoPages(
  root: string,
  configs: readonly unknown[],
  folders: readonly string[],
): HugoPages {
  const own = ['_default', 'production'].flatMap((environment) =>
    ownFiles.flatMap((name) =>
      ['json', 'yml', 'yaml', 'toml']
        .map((extension) => `config/${environment}/${name}.${extension}`)
        .filter((path) => existsSync(join(root, path)))
        .map((path) => ({ [name]: parseSettingsFile(readTextInside(root, path), path) })),
    ),
  );
  const all = [...configs, ...own];
  const cascades = all.flatMap((one) => settingOf(one, 'cascade') ?? []);
  const last = (...path: readonly string[]): unknown =>
    all
      .map((one) => path.reduce<unknown>((value, name) => settingOf(value, name), one))
      .findLast((value) => value !== undefined);
  const params = Object.fromEntries(all.flatMap((one) => entriesOf(settingOf(one, 'params'))));
  const known = new Map<string, boolean>();
  const hasIndex = (folder: string): boolean => {
    const found = known.get(folder) ?? bundlePages.some((name) => existsSync(join(root, folder, name)));
    known.set(folder, found);
    return found;
  };
  const hasBlockAttributes = last('markup', 'goldmark', 'parser', 'attribute', 'block') === true;
  const passthrough = ['markup', 'goldmark', 'extensions', 'passthrough'];
  const delimiters = JSON.stringify(last(...passthrough, 'delimiters') ?? []);
  const isMath = last(...passthrough, 'enable') === true;
  const math: MathMarks[] = [
    ...(isMath && delimiters.includes('$') ? (['dollars'] as const) : []),
    ...(isMath && delimiters.includes('\\\\') ? (['brackets'] as const) : []),
  ];
  const markup = createHugoMarkup({ params, hasBlockAttributes, math });
  return {
    markup: last('enableEmoji') === true ? withEmoji(markup) : markup,
    pages: {
      ignores: (path) => folders.some((folder) => isResource(folder, path, hasIndex)),
      needsFrontMatter: false,
      fieldsOf: () => ({}),
      pathOf: null,
      cascade: cascades,
    },
  };
}

const bundle = /^index(?:\.[A-Za-z-]+)?\.(?:mdx?|markdown|html?)$/;
const bundlePages = ['index.md', 'index.markdown', 'index.html'];

/** Whether a file belongs to a page bundle: below a folder with an `index.md`, only this and its translations are pages. */
function isResource(tree: string, path: string, hasIndex: (folder: string) => boolean): boolean {
  if (!path.startsWith(`${tree}/`)) return false;
  let folder = posix.dirname(path);
  if (folder === tree || (bundle.test(posix.basename(path)) && hasIndex(folder)))
    folder = posix.dirname(folder);
  for (; folder.length > tree.length; folder = posix.dirname(folder)) if (hasIndex(folder)) return true;
  return false;
}
