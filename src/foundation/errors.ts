/** What a {@link LecternError} has besides its message. */
export interface LecternErrorDetails {
  /** One sentence: what the reader can do now. */
  readonly hint: string;
  /** `2` when the command line or configuration is wrong, `1` for everything else (exit codes of the command). */
  readonly exitCode?: 1 | 2;
  readonly cause?: unknown;
}

/**
 * The run cannot go on and the user can act.
 * `code` is permanent (scripts match on it); the message is one sentence with the offending value in it.
 */
export class LecternError extends Error {
  readonly code: string;
  readonly hint: string;
  readonly exitCode: 1 | 2;

  constructor(code: string, message: string, details: LecternErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'LecternError';
    this.code = code;
    this.hint = details.hint;
    this.exitCode = details.exitCode ?? 1;
  }
}
