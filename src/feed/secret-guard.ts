import { LecternError } from '../errors.ts';
import type { LanguageTag } from '../model.ts';
import type { Secret } from './find-secrets.ts';

/** Collects the credentials of a whole run, so that one error names them all. */
export interface SecretGuard {
  check(secrets: readonly Secret[], articleId: string, language: LanguageTag): void;
  /** Throws `SECRET_FOUND` when there was one that is not allowed. */
  finish(): void;
}

const namedInMessage = 10;

/** Starts collecting; `allowed` holds fingerprints of strings that only look like credentials. */
export function createSecretGuard(allowed: readonly string[]): SecretGuard {
  const found: string[] = [];
  return {
    check(secrets, articleId, language) {
      for (const { kind, masked, fingerprint } of secrets) {
        if (allowed.includes(fingerprint)) continue;
        found.push(`${kind} ${masked} in ${articleId} (${language}), fingerprint ${fingerprint}`);
      }
    },
    finish() {
      if (found.length === 0) return;
      const more = found.length > namedInMessage ? `; and ${found.length - namedInMessage} more` : '';
      throw new LecternError(
        'SECRET_FOUND',
        `the articles hold credentials: ${found.slice(0, namedInMessage).join('; ')}${more}`,
        {
          hint:
            'revoke them and take them out of the articles; add the fingerprint of one that is only an example ' +
            'to feed.allowSecrets',
        },
      );
    },
  };
}
