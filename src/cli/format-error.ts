import { LecternError, maskKey, messageOf } from '../core/errors.ts';
import { readableUrls } from './readable-urls.ts';
import { githubCommand } from './reports/github.ts';
import type { Paint } from './terminal.ts';
import { escapeControls } from './terminal.ts';
import { wrapText } from './wrap-text.ts';

/** How to format an error. */
interface ErrorStyle {
  /** Whether to write one JSON object instead of lines. */
  readonly json: boolean;
  /** Whether to write an annotation of a GitHub Actions job, too. */
  readonly github: boolean;
  readonly paint: Paint;
  /** Columns for wrapping message and hint; `null`: one line each, for logs. */
  readonly width: number | null;
}

/** Formats an error for stderr: code, message and hint if the user can fix it, the stack for a bug. */
export function formatError(error: unknown, { json, github, paint, width }: ErrorStyle): string {
  const { code, hint, ...described } = describeError(error);
  const message = code === bugCode ? stackOf(error, described.message) : described.message;
  const annotation = github ? githubCommand('error', code, `${message}\n${hint}`) : '';
  if (json)
    return `${escapeControls(JSON.stringify({ event: 'error', code, message, hint }))}\n${annotation}`;
  const [kind, text] = code === bugCode ? ['bug', `: ${message}`] : ['error', ` ${code}: ${message}`];
  const whole = `${kind}${text}\nhint: ${hint}`;
  const lines = (code === bugCode ? whole : readableUrls(whole))
    .split('\n')
    .flatMap((line) => wrapLine(line, width));
  const head = paint.red(kind);
  return `${head}${escapeControls(lines.join('\n').slice(kind.length))}\n${annotation}`;
}

/** Wraps a line at spaces; the following lines are indented by two more. */
function wrapLine(line: string, width: number | null): readonly string[] {
  if (width === null || line.length <= width) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const [first = '', ...rest] = wrapText(line.trim(), width - indent.length - 2);
  return [`${indent}${first}`, ...rest.map((part) => `${indent}  ${part}`)];
}

function stackOf(error: unknown, message: string): string {
  const stack = error instanceof Error ? (error.stack ?? message) : message;
  return maskKey(stack, process.env.LECTERN_API_KEY?.trim() || null);
}

/** An error as data. */
interface ErrorDescription {
  /** Permanent; `BUG` for anything but a {@link LecternError}. */
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** File system errors that the user can fix: explanation and hint by code. */
const fileFaults: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  EACCES: ['access is denied', 'check who owns it and its permissions'],
  EPERM: ['the operation is not permitted', 'check who owns it and its permissions'],
  EROFS: ['the file system is read-only', 'choose a folder on a file system that can be written to'],
  ENOSPC: ['no space is left on the device', 'free some space'],
  EDQUOT: ['the disk quota is used up', 'free some space'],
  ELOOP: ['its symbolic links form a loop', 'correct the links, or choose another path'],
  ENOTDIR: ['a part of the path is a file, not a folder', 'choose another path'],
  EISDIR: ['it is a folder, not a file', 'choose another path'],
  ENOTSUP: ['it is not a regular file', 'pass a file; folders, pipes and devices are not read'],
  EEXIST: ['a file or folder with this name exists', 'choose another path, or move the existing file'],
  ENAMETOOLONG: ['the name is too long', 'choose a shorter path'],
  EMFILE: ['too many files are open', 'raise the limit of open files (ulimit -n)'],
  ENFILE: ['too many files are open on this machine', 'close other programs'],
  EBUSY: ['it is in use', 'close the program that uses it, or choose another path'],
  EILSEQ: ['the file is not UTF-8', 'save it as UTF-8'],
  EXDEV: ['it is on another file system', 'choose a path on the same file system'],
};

/** Explains a file system error that no stage has explained; returns other errors unchanged. */
function explainFileFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof LecternError) return error;
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  const fault = fileFaults[code];
  if (fault === undefined || syscall === undefined || path === undefined) return error;
  const [what, hint] = fault;
  return new LecternError('PATH_UNUSABLE', `${path} cannot be used: ${what} (${code})`, {
    hint,
    cause: error,
  });
}

/** Code, message and hint of a thrown value, without the API key. */
export function describeError(thrown: unknown): ErrorDescription {
  const apiKey = process.env.LECTERN_API_KEY?.trim() || null;
  const error = explainFileFault(thrown);
  if (error instanceof LecternError) {
    const { code, message, hint } = error;
    return { code, message: maskKey(message, apiKey), hint };
  }
  return {
    code: bugCode,
    message: maskKey(messageOf(error), apiKey),
    hint: 'this is a bug in Lectern; please report it with the lines above',
  };
}

/** Code of an unexpected error. */
const bugCode = 'BUG';
