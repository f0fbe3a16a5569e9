import { messageOf } from '../../../core/errors.ts';
import { problem } from '../../../core/problems.ts';
import { docusaurusMarkup } from '../markup/docusaurus.ts';
import { withEmoji } from '../markup/emoji.ts';
import { loadsMath, withDollars } from '../markup/math.ts';
import { readTextInside } from '../safe-files.ts';
import type { ProjectConfig } from './config.ts';
import { findFolder, type ProjectPages, plainProject } from './project-pages.ts';

/**
 * Docusaurus lists the pages in `docs/`, or those of the version it serves at the root, and then looks for a translation of each, under the
 * same name with the same extension. So it does not see the translation of a page that was deleted or renamed.
 */
export function readDocusaurusProject(
  { root, file }: ProjectConfig,
  has: (path: string) => boolean,
): ProjectPages {
  let versions: DocusaurusVersions;
  try {
    versions = readDocusaurusVersions(root, file, has);
  } catch (error) {
    return plainProject([], [messageOf(error)]);
  }
  const { folder, name, others } = versions;
  const start = `docusaurus-plugin-content-docs/${name}`;
  const hiddenAs = (path: string) => {
    const inside = /^i18n\/[^/]+\/(.+\.(?:mdx?|markdown|html?))$/i.exec(path)?.[1];
    if (inside === undefined || !inside.startsWith(`${start}/`)) return null;
    return has(folder + inside.slice(start.length)) ? null : 'no-source';
  };
  const problems =
    others.length === 0
      ? []
      : [problem('VERSION_IGNORED', `${folder} is published; these versions are not: ${others.join(', ')}`)];
  const config = readTextInside(root, file);
  const plain = /\bemoji\s*:\s*false\b/.test(config) ? docusaurusMarkup : withEmoji(docusaurusMarkup);
  const markup = loadsMath(config) ? withDollars(plain) : plain;
  return { ...findFolder(folder, file, has), hiddenAs, problems, translations: start, markup };
}

interface DocusaurusVersions {
  readonly folder: string;
  /** `current` or `version-2.0`. */
  readonly name: string;
  readonly others: readonly string[];
}

/** The version at the root: `lastVersion`, else the first of `versions.json`, else `docs/`. */
function readDocusaurusVersions(
  root: string,
  file: string,
  has: (path: string) => boolean,
): DocusaurusVersions {
  if (!has('versions.json')) return { folder: 'docs', name: 'current', others: [] };
  const text = readTextInside(root, file);
  const listed: unknown = JSON.parse(readTextInside(root, 'versions.json'));
  const all = (Array.isArray(listed) ? listed : []).filter((one): one is string => typeof one === 'string');
  const [, , literal, name] = /\blastVersion["']?\s*:\s*(?:(["'`])([^"'`$\n]+)\1|(\w+))/.exec(text) ?? [];
  const constant = new RegExp(`\\b(?:const|let|var)\\s+${name}\\s*=\\s*(["'\`])([^"'\`$\\n]+)\\1`);
  const last = literal ?? (name === undefined ? undefined : constant.exec(text)?.[2]) ?? all[0] ?? 'current';
  const folder = `versioned_docs/version-${last}`;
  const isVersion = last !== 'current' && /^[^/\\]+$/.test(last) && !last.includes('..') && has(folder);
  const chosen = isVersion ? last : 'current';
  const isCurrentPublished = !/\bincludeCurrentVersion["']?\s*:\s*false/.test(text);
  return {
    folder: isVersion ? folder : 'docs',
    name: isVersion ? `version-${last}` : 'current',
    others: [...(isCurrentPublished ? ['current'] : []), ...all].filter(
      (one) => one !== chosen && (one === 'current' || has(`versioned_docs/version-${one}`)),
    ),
  };
}
