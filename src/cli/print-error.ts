import { maskKey } from '../foundation/mask-key.ts';
import { bugCode, describeError } from './describe-error.ts';
import { escapeControls } from './escape-controls.ts';
import { githubCommand } from './reports/github-command.ts';
import type { Paint } from './terminal.ts';

/** How a failure is told. */
export interface ErrorStyle {
  /** One JSON object instead of lines. */
  readonly json: boolean;
  /** Also as an annotation of a GitHub Actions job. */
  readonly github: boolean;
  readonly paint: Paint;
}

/** A failure as text for stderr: code, message and hint for what the user can mend, the stack for a bug. */
export function formatError(error: unknown, { json, github, paint }: ErrorStyle): string {
  const { code, hint, ...described } = describeError(error);
  const message = code === bugCode ? stackOf(error, described.message) : described.message;
  const annotation = github ? githubCommand('error', code, `${message}\n${hint}`) : '';
  if (json)
    return `${escapeControls(JSON.stringify({ event: 'error', code, message, hint }))}\n${annotation}`;
  const head =
    code === bugCode
      ? `${paint.red('bug')}: ${escapeControls(message)}`
      : `${paint.red('error')} ${code}: ${escapeControls(message)}`;
  return `${head}\nhint: ${escapeControls(hint)}\n${annotation}`;
}

function stackOf(error: unknown, message: string): string {
  const stack = error instanceof Error ? (error.stack ?? message) : message;
  return maskKey(stack, process.env.LECTERN_API_KEY?.trim() || null);
}
