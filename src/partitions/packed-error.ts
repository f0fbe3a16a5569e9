import { LecternError } from '../foundation/errors.ts';

/** An error on its way to another thread, which would strip it of its class. */
export type PackedError =
  | Pick<LecternError, 'code' | 'message' | 'hint' | 'exitCode'>
  | { readonly cause: unknown };

export function packError(error: unknown): PackedError {
  if (!(error instanceof LecternError)) return { cause: error };
  const { code, message, hint, exitCode } = error;
  return { code, message, hint, exitCode };
}

/** The error again, as it was thrown. */
export function unpackError(packed: PackedError): unknown {
  if ('cause' in packed) return packed.cause;
  const { code, message, hint, exitCode } = packed;
  return new LecternError(code, message, { hint, exitCode });
}
