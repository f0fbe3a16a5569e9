import { hash } from 'node:crypto';
import { LecternError } from '../../core/errors.ts';
import type { ArticleTranslation, ExclusionReason } from '../../core/model.ts';
import { type Problem, problem } from '../../core/problems.ts';
import { base62Digits } from '../../core/zendesk-id.ts';
import type { TextReference } from '../snapshot/format.ts';
import type { RenderMarkdown } from './markdown-renderer.ts';
import type { ReferenceTargets } from './references.ts';
import type { ScannedFiles } from './safe-files.ts';

/** A record as the API would return it. */
export type FolderRecord = Readonly<Record<string, unknown>>;

/** An article of a folder; its bodies are rendered on demand. */
export interface FolderArticle {
  readonly id: string;
  /** Its file, in the default language if there is one; relative to the folder. */
  readonly path: string;
  /** The file of each language. */
  readonly files: ReadonlyMap<string, string>;
  /** Why it is not public; `null` if it is, or if its record decides. */
  readonly excluded: ExclusionReason | null;
  /** Hash that is the same as long as rendering gives the same result, if its references lead to the same targets. */
  readonly fingerprint: string;
  /** Absent if the fingerprint has them. */
  readonly targets?: ReferenceTargets;
  /** Where its public languages are on the site, by `languageKey`; empty for a pulled folder. */
  readonly places: ReadonlyMap<string, PagePlace>;
  /** Paths on its site, and of files, of its pages that are not public. */
  readonly hiddenPaths: readonly string[];
  /** Whether lists show it. */
  readonly isListed: boolean;
  /** Problems found without rendering. */
  readonly problems: readonly Problem[];
  readonly render: () => Promise<RenderedRecord>;
}

/** An article without anything to publish. @param hiddenPaths see `FolderArticle` */
export function notPublic(
  id: string,
  path: string,
  excluded: ExclusionReason | null,
  hiddenPaths: readonly string[] = [],
): FolderArticle {
  return {
    ...{ id, path, excluded, hiddenPaths, files: new Map(), fingerprint: '', places: new Map() },
    ...{ isListed: true, problems: [], render: async () => ({ record: {}, problems: [] }) },
  };
}

/** Problems of files that cannot be opened: those whose name is not UTF-8, links, and entries that are no files. */
export function describeUnopened({ unnamed, links }: ScannedFiles): readonly Problem[] {
  return [
    ...unnamed.map((path) => problem('FILE_SKIPPED', `the name of ${path} is not UTF-8; rename it`)),
    ...links.map((path) => problem('FILE_IGNORED', `${path} is not a regular file`, { file: path })),
  ];
}

/** What is known of a language of an article from where it is. */
export interface PagePlace extends Pick<ArticleTranslation, 'sourcePath' | 'aliases'> {
  /** Relative to the folder. */
  readonly file: string;
}

export interface RenderedRecord {
  readonly record: FolderRecord;
  readonly problems: readonly Problem[];
  /** The references of its texts. */
  readonly references?: readonly TextReference[];
}

/** Everything in a folder. */
export interface FolderRead {
  /** Sorted by id. */
  readonly articles: readonly FolderArticle[];
  readonly categories: readonly FolderRecord[];
  /** Problems of files that are not articles. */
  readonly problems: readonly Problem[];
  /** The next time at which a date shows or hides a page, in milliseconds since 1970; `Infinity`: never, or records say it themselves. */
  readonly scheduleMs: number;
  /** Paths of all files that were read as pages, also of those that are no articles; relative to the folder. */
  readonly pages: Iterable<string>;
}

/**
 * The folder without what only divides a year, as blogs and changelogs have it: `blog/2024/02/01` → `blog/2024`. Months and days would be categories of
 * one article each.
 */
export function withoutDates(folder: string): string {
  return folder.replace(/(?<=(?:^|\/)(?:19|20)\d\d)(?:\/\d{1,2})+$/, '');
}

/** Where the files of a source are. */
export interface FolderPlace {
  /** Absolute path of the folder of the configuration. */
  readonly base: string;
  /** Absolute path. */
  readonly root: string;
  /** Absolute paths of folders inside the root that are not part of it: output and cache. */
  readonly ignored: readonly string[];
}

/** A folder of Markdown, and how it is read. */
export interface FolderLocation extends FolderPlace {
  readonly layout: 'auto' | 'pulled' | 'plain';
  /** Names of folders and suffixes that are languages; `null`: detected. */
  readonly locales: readonly string[] | null;
  /** Whether `$…$` is a formula. */
  readonly math: boolean;
  readonly defaultLanguage: string;
}

/** Settings for reading a folder at one time. */
export interface FolderSettings extends FolderLocation {
  /** Milliseconds since 1970, for dates of publication. */
  readonly nowMs: number;
  readonly markdown: RenderMarkdown;
}

/**
 * Throws for errors in files, each as `file: error`.
 * @throws PATH_UNUSABLE if there are any
 */
export function refuseInvalidFiles(
  mistakes: readonly string[],
  hint = 'correct these files; nothing was read from the folder',
): void {
  if (mistakes.length === 0) return;
  throw new LecternError('PATH_UNUSABLE', mistakes.join('\n  '), { hint });
}

/**
 * The id of a record without one: ten base-62 digits of the SHA-256 of its kind and path, so that it is the same on every machine. The
 * reader refuses a folder in which two paths have the same id; with 100,000 paths, the probability is 1 in 10^8.
 */
export function deriveId(kind: 'article' | 'category', path: string): string {
  let rest = BigInt(`0x${hash('sha256', `${kind} ${path.normalize('NFC')}`).slice(0, 16)}`);
  let id = '';
  for (; id.length < 10; rest /= 62n) id += base62Digits[Number(rest % 62n)];
  return id;
}
