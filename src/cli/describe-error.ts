import { LecternError } from '../errors.ts';

/** A failure as data. */
export interface DescribedError {
  /** Permanent; `BUG` for what is no {@link LecternError}. */
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** Code, message and hint of whatever was thrown. */
export function describeError(error: unknown): DescribedError {
  if (error instanceof LecternError) {
    const { code, message, hint } = error;
    return { code, message, hint };
  }
  return {
    code: bugCode,
    message: error instanceof Error ? error.message : String(error),
    hint: 'this is a defect of Lectern; please report it with the lines above',
  };
}

/** Code of a failure nobody foresaw. */
export const bugCode = 'BUG';
