import { LecternError } from '../errors.ts';
import { githubCommand } from './reports/github-command.ts';

/** How a failure is told. */
export interface ErrorStyle {
  /** One JSON object instead of lines. */
  readonly json: boolean;
  /** Also as an annotation of a GitHub Actions job. */
  readonly github: boolean;
}

/** A failure as text for stderr: code, message and hint for what the user can mend, the stack for a bug. */
export function formatError(error: unknown, { json, github }: ErrorStyle): string {
  const { code, message, hint } = describe(error);
  const annotation = github ? githubCommand('error', code, `${message}\n${hint}`) : '';
  if (json) return `${JSON.stringify({ event: 'error', code, message, hint })}\n${annotation}`;
  const head = code === bugCode ? `bug: ${message}` : `error ${code}: ${message}`;
  return `${head}\nhint: ${hint}\n${annotation}`;
}

const bugCode = 'BUG';

function describe(error: unknown): {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
} {
  if (error instanceof LecternError) return error;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    code: bugCode,
    message: stack,
    hint: 'this is a defect of Lectern; please report it with the lines above',
  };
}
