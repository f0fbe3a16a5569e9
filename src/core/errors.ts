/** What a function returns; `null` if it throws, whatever the reason. */
export function orNull<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/** Fields of a {@link LecternError} besides its message. */
export interface LecternErrorDetails {
  /** One sentence: what the user can do now. */
  readonly hint: string;
  /**
   * Exit code of the command: `2` if the command line or configuration is wrong, `130` if the user cancelled it, otherwise `1`. Absent: that of
   * the code.
   */
  readonly exitCode?: 1 | 2 | 130;
  readonly cause?: unknown;
}

/** Codes that only a wrong command line, variable, setting or project has: their exit code is 2. That of others is 1, unless one error says 2. */
const usageCodes: ReadonlySet<string> = new Set([
  'CONFIG_INVALID',
  'DEFAULT_LANGUAGE_DIFFERS',
  'GENERATOR_PROJECT',
  'KEY_UNUSABLE',
  'PORT_UNUSABLE',
  'SOURCE_MISSING',
  'SYNC_STATE_FOREIGN',
  'TARGET_EXISTS',
  'USAGE',
]);

/**
 * An error that stops the run and that the user can fix. `code` is permanent, because scripts match on it; the message is one sentence with
 * the wrong value in it.
 */
export class LecternError extends Error {
  readonly code: string;
  readonly hint: string;
  readonly exitCode: 1 | 2 | 130;

  constructor(code: string, message: string, details: LecternErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'LecternError';
    this.code = code;
    this.hint = details.hint;
    this.exitCode = details.exitCode ?? (usageCodes.has(code) ? 2 : 1);
  }
}

/** A mistake in a file of the author: a sentence, and its line if it is known. */
export class LineError extends Error {
  /** Number of the line; the first one is 1. */
  readonly line: number | null;

  constructor(message: string, line: number | null) {
    super(message);
    this.name = 'LineError';
    this.line = line;
  }
}

/** The message of a thrown value, which need not be an `Error`. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Shorter texts are not API keys and may be normal words. */
const minKeyChars = 8;

/**
 * Replaces the API key in a text of a server or an author by `[key]`: in plain form, percent-encoded, and in base64, alone or inside a
 * longer value.
 */
export function maskKey(text: string, key: string | null): string {
  return keyMask(key)(text);
}

/** {@link maskKey} for many texts. */
export function keyMask(key: string | null): (text: string) => string {
  if (key === null || key.length < minKeyChars) return (text) => text;
  const patterns = [key, encodeURIComponent(key), ...base64Forms(key)].map(pattern);
  return (text) => patterns.reduce((masked, form) => masked.replaceAll(form, '[key]'), text);
}

/** Percent-encoding may use digits of either case. */
function pattern(form: string): RegExp {
  const escaped = form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(
    escaped.replace(/%[0-9A-F]{2}/g, (code) =>
      /[A-F]/.test(code) ? `(?:${code}|${code.toLowerCase()})` : code,
    ),
    'g',
  );
}

/** In base64, every third byte starts a group, so a key inside a longer value has one of three forms. */
function base64Forms(key: string): readonly string[] {
  const forms = [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(key)]);
    const text = bytes.toString('base64');
    // Characters that also encode text before or after the key are dropped.
    const inner = text.slice([0, 2, 3][offset], Math.floor(bytes.length / 3) * 4);
    return offset === 0 ? [text, text.replace(/=+$/, ''), inner] : [inner];
  });
  return [...new Set(forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]))];
}
