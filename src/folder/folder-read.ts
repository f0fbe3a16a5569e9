import { LecternError } from '../foundation/errors.ts';
import type { ExclusionReason } from '../foundation/model.ts';
import type { Problem } from '../foundation/problems.ts';

/** A record as the API would give it. */
export type FolderRecord = Readonly<Record<string, unknown>>;

/** An article of a folder; its bodies are rendered when they are asked for. */
export interface FolderArticle {
  readonly id: string;
  /** Its file, of the default language where there is one; relative to the folder. */
  readonly path: string;
  /** Why it is not public; `null`: it is, or its record says. */
  readonly excluded: ExclusionReason | null;
  /** The same as long as rendering gives the same. */
  readonly fingerprint: string;
  /** Found without rendering. */
  readonly problems: readonly Problem[];
  readonly render: () => RenderedRecord;
}

export interface RenderedRecord {
  readonly record: FolderRecord;
  readonly problems: readonly Problem[];
}

/** Everything a folder holds. */
export interface FolderRead {
  /** Sorted by id. */
  readonly articles: readonly FolderArticle[];
  readonly categories: readonly FolderRecord[];
  /** Of files that are no article. */
  readonly problems: readonly Problem[];
}

/** What reading a folder depends on besides its files. */
export interface FolderSettings {
  /** Absolute path. */
  readonly root: string;
  readonly layout: 'auto' | 'pulled' | 'plain';
  /** Names of folders and suffixes that are languages; `null`: they are recognised. */
  readonly locales: readonly string[] | null;
  readonly defaultLanguage: string;
  /** Absolute paths of folders inside the root that are not part of it: output and cache. */
  readonly ignored: readonly string[];
  /** Milliseconds since 1970, for dates of publication. */
  readonly nowMs: number;
}

/**
 * Refuses a folder for the mistakes in its files, each as `file: mistake`.
 * @throws FOLDER_INVALID where there are any
 */
export function refuseInvalidFiles(mistakes: readonly string[]): void {
  if (mistakes.length === 0) return;
  const more = mistakes.length > 10 ? `\n  and ${mistakes.length - 10} more` : '';
  throw new LecternError('FOLDER_INVALID', `${mistakes.slice(0, 10).join('\n  ')}${more}`, {
    hint: 'correct these files; nothing was read from the folder',
  });
}
