import { LecternError } from '../foundation/errors.ts';

/**
 * Checks that a key can be sent as a Bearer token (visible ASCII); its value is in no message.
 * @throws API_KEY_MISSING, API_KEY_INVALID (both exit 2)
 */
export function checkApiKey(key: string): string {
  const trimmed = key.trim();
  if (trimmed === '') {
    throw new LecternError('API_KEY_MISSING', 'no API key is set', {
      hint: 'set the environment variable LECTERN_API_KEY',
      exitCode: 2,
    });
  }
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new LecternError('API_KEY_INVALID', 'the API key contains invalid characters', {
      hint: 'set LECTERN_API_KEY to the key only, without quotes, spaces or line breaks',
      exitCode: 2,
    });
  }
  if (/^(["'`]).*\1$/.test(trimmed)) {
    throw new LecternError('API_KEY_INVALID', 'the API key is in quotes', {
      hint: 'set LECTERN_API_KEY to the key alone, without quotes (docker --env-file takes them as part of the value)',
      exitCode: 2,
    });
  }
  return trimmed;
}
