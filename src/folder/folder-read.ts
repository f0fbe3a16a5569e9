import { hash } from 'node:crypto';
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

/** Settings for reading a folder. */
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

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The id of a record that names none: ten base-62 digits of the SHA-256 of its kind and path, so that it is the same on
 * every machine. Two paths of a folder with one id are refused where the folder is read, at odds of 1 to 10^8 for
 * 100,000 paths.
 */
export function deriveId(kind: 'article' | 'category', path: string): string {
  const number = BigInt(`0x${hash('sha256', `${kind} ${path.normalize('NFC')}`).slice(0, 16)}`);
  return fiveDigits(Number(number % fiveDigitNumbers)) + fiveDigits(Number(number / fiveDigitNumbers));
}

const fiveDigitNumbers = 62n ** 5n;

/** The last five digits, the last one first. */
function fiveDigits(number: number): string {
  let rest = number;
  let text = '';
  for (let count = 0; count < 5; count += 1) {
    text += digits[rest % 62];
    rest = Math.floor(rest / 62);
  }
  return text;
}
