import { LecternError } from '../../foundation/errors.ts';
import type { LanguageTag } from '../../foundation/model.ts';
import type { Secret } from './find-secrets.ts';

/** Collects the credentials of a whole run, so that one error names them all. */
export interface SecretGuard {
  check(found: FoundSecret): void;
  /** Throws `SECRET_FOUND` when there was one that is not allowed. */
  finish(): void;
}

/** A credential and the page that holds it. */
export interface FoundSecret extends Secret {
  readonly articleId: string;
  readonly language: LanguageTag;
}

const namedInMessage = 10;

/** Whether a key is told from other text: a short one, or one of letters alone, may be a word of an article. */
export function isDistinctive(key: string): boolean {
  return key.length >= 8 && /[^\p{L}]/u.test(key);
}

/** A record that holds the run's own API key. */
export interface KeyPlace {
  /** An article's id, or `category` and the category's id. */
  readonly record: string;
  readonly language: LanguageTag;
}

/**
 * Starts collecting.
 * @param allowed fingerprints of strings that only look like credentials
 * @param keyPlaces where the run's own API key is: no fingerprint allows that
 */
export function createSecretGuard(allowed: readonly string[], keyPlaces: readonly KeyPlace[]): SecretGuard {
  const found = keyPlaces.map(({ record, language }) => `the API key of this run in ${record} (${language})`);
  return {
    check({ kind, masked, fingerprint, articleId, language }) {
      if (allowed.includes(fingerprint)) return;
      found.push(`${kind} ${masked} in ${articleId} (${language}), fingerprint ${fingerprint}`);
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
