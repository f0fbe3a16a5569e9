import { posix } from 'node:path';
import type { Problem } from '../../../core/problems.ts';
import type { Markup } from '../markup/rules.ts';
import type { ProjectConfig } from './config.ts';

/** A folder that the configuration assigns to a language. */
interface ContentFolder {
  readonly folder: string;
  /** `null`: several languages share it, it is for those without their own folder, or the name is not a language tag. */
  readonly language: string | null;
  readonly isDisabled: boolean;
}

/** What a generator makes pages of. */
export interface PageRules {
  /** Whether it does not make a page of a file. */
  ignores(path: string): boolean;
  /** Whether it makes pages only of files with front matter. */
  readonly needsFrontMatter: boolean;
  /** Fields of a page that its front matter need not have. */
  fieldsOf(path: string): Readonly<Record<string, unknown>>;
  /** The path of a page on its site, if the generator has rules of its own (Jekyll). */
  readonly pathOf: ((path: string, data: Readonly<Record<string, unknown>>) => string) | null;
  /** `cascade` of the configuration. */
  readonly cascade: readonly unknown[];
}

/** The folders of a project that contain pages; paths are relative to its folder. */
export interface PlainProject {
  /** The configuration of its site generator; `null`: it has none. */
  readonly config: ProjectConfig | null;
  /** Folders of pages. `language` is that of all pages in the folder; `null` if subfolders and suffixes determine it. */
  readonly trees: readonly {
    readonly folder: string;
    readonly language: string | null;
    /** What the paths of its pages begin with, so that pages of several trees differ: `docs/` for `_docs` of Jekyll. */
    readonly prefix: string;
  }[];
  /** Folders of images and files to which root-relative URLs (`/img/a.png`) refer. */
  readonly assets: readonly string[];
  /** Language tags in its configuration; empty if there are none. */
  readonly languages: readonly string[];
  /** Languages that its configuration disables, by {@link keyOfLocale}; their pages are not published. */
  readonly disabled: ReadonlySet<string>;
  /** Folders that the configuration assigns to languages, innermost first. */
  readonly contentFolders: readonly ContentFolder[];
  /** Why its generator does not publish a file; `null` if it does. `no-source`: it does not see a translation of no page. */
  hiddenAs(path: string): 'private' | 'draft' | 'no-source' | null;
  /** The syntax of its pages. */
  readonly markup: Markup;
  /** What its generator makes pages of. */
  readonly pages: PageRules;
  /** Problems of its configuration. */
  readonly problems: readonly Problem[];
  /** Why its pages cannot be read, as sentences; empty if they can. */
  readonly mistakes: readonly string[];
}

/** Folders of pages that exist, and what the configuration says of languages. */
export interface ProjectPages
  extends Omit<PlainProject, 'config' | 'trees' | 'assets' | 'markup' | 'pages'>,
    Partial<Pick<PlainProject, 'markup' | 'pages'>> {
  readonly folders: readonly string[];
  /** Folder of translations inside `i18n/<language>/`. */
  readonly translations?: string;
  /** What the paths of pages begin with, by folder. */
  readonly prefixes?: ReadonlyMap<string, string>;
}

/** A project without settings. */
export function plainProject(folders: readonly string[], mistakes: readonly string[] = []): ProjectPages {
  return {
    folders,
    languages: [],
    disabled: new Set(),
    contentFolders: [],
    hiddenAs: () => null,
    problems: [],
    mistakes,
  };
}

/** A project whose pages are unknown, because its configuration cannot be read. */
export function unreadProject({ unread }: ProjectConfig): ProjectPages {
  const messages = unread.map(({ message }) => message);
  return plainProject([], messages);
}

export function findFolder(folder: string, file: string, has: (path: string) => boolean): ProjectPages {
  return has(folder)
    ? plainProject([folder])
    : plainProject([], [`${file}: the folder ${folder} does not exist`]);
}

/** Whether a folder that a configuration names is not inside the project. */
export function isOutside(folder: string): boolean {
  return /^(?:\.{0,2}(?:\/|$)|[a-z]:)/i.test(folder);
}

/** `./content/de/` and `content\\de` are `content/de`. */
export function normalizeFolder(folder: string): string {
  return posix.join(folder.replaceAll('\\', '/'), '.').replace(/\/$/, '');
}
