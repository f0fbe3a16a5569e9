import { hash } from 'node:crypto';
import { LecternError } from '../../core/errors.ts';
import type { LanguageTag } from '../../core/model.ts';
import { replaceSpans, type TextSpan } from '../../core/replace-spans.ts';
import { longRuns } from './long-runs.ts';

/** A credential at a position of a text, in UTF-16 units: the value, without the name of its parameter. None of the fields contains it. */
export interface LocatedSecret extends TextSpan {
  /** e.g. `AWS access key`. */
  readonly kind: string;
  /** The first and last characters of the secret, so that the author can find it. */
  readonly masked: string;
  /** Its id in `feed.allowSecrets`: the first 16 digits of its SHA-256. */
  readonly fingerprint: string;
  /** It is a well-known sample from a manual, which opens nothing: it is reported and published. */
  readonly isSample: boolean;
}

/** Matches the rest of a private key after its first line. */
const restOfKey = /[A-Za-z0-9+/=\s]*(?:-----END [A-Z0-9 ]{0,60}-----)?/y;

/**
 * Finds private keys, tokens with a well-known prefix, JSON Web Tokens and credentials in URLs: each occurrence, in order and without overlaps. Ignores
 * placeholders (`ghp_xxxx…`), and marks samples of manuals (AWS's own `…EXAMPLE`).
 */
export function locateSecrets(text: string, allowed: readonly string[] = []): readonly LocatedSecret[] {
  if (!mayHaveSecret(text)) return [];
  const found: LocatedSecret[] = [];
  for (const [kind, pattern] of secretKinds) {
    for (const { 0: value, index } of text.matchAll(pattern)) {
      if (isPlaceholder(value) || isWord(value)) continue;
      const fingerprint = hash('sha256', value).slice(0, 16);
      if (allowed.includes(fingerprint)) continue;
      const masked = `${value.slice(0, 6)}…${value.slice(-2)}`;
      const name = /^[?&;][^=]*=/.exec(value)?.[0].length ?? 0;
      const isSample = isSampleValue(value.slice(name));
      restOfKey.lastIndex = index + value.length;
      const rest = kind === 'private key' ? (restOfKey.exec(text)?.[0].trimEnd().length ?? 0) : 0;
      found.push({
        kind,
        masked,
        fingerprint,
        start: index + name,
        end: index + value.length + rest,
        isSample,
      });
    }
  }
  const real = withoutOverlaps(found.filter(({ isSample }) => !isSample));
  if (real.length === found.length) return real;
  // A credential wins over a sample inside it.
  const samples = found.filter(
    (one) => one.isSample && !real.some(({ start, end }) => start < one.end && one.start < end),
  );
  return withoutOverlaps([...real, ...samples]);
}

function withoutOverlaps(found: readonly LocatedSecret[]): readonly LocatedSecret[] {
  let end = 0;
  return found
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((one) => {
      const isNew = one.start >= end;
      end = Math.max(end, one.end);
      return isNew;
    });
}

/** Stands for a credential wherever it was: safe in texts, URLs and paths. */
export const redacted = 'REDACTED';

/** A text without its credentials; samples stay. */
export function redactText(text: string, secrets: readonly LocatedSecret[]): string {
  const real = secrets.filter(({ isSample }) => !isSample);
  return replaceSpans(text, real, () => redacted);
}

/** The problem of a credential or a sample, without its value. @param place e.g. `the title` */
export function describeSecret(
  { kind, masked, fingerprint, isSample }: LocatedSecret,
  place: string,
): { readonly code: 'SECRET_FOUND' | 'SECRET_SAMPLE'; readonly message: string } {
  const what = `${kind} ${masked} in ${place}`;
  return isSample
    ? { code: 'SECRET_SAMPLE', message: `${what} is a well-known sample, fingerprint ${fingerprint}` }
    : {
        code: 'SECRET_FOUND',
        message: `${what} was replaced by ${redacted}, fingerprint ${fingerprint}`,
      };
}

/** The problem of a credential that is still in a rendered body after {@link locateSecrets} found all in its source. */
export function describeWithheld({ kind, masked, fingerprint }: LocatedSecret): {
  readonly code: 'SECRET_FOUND';
  readonly message: string;
} {
  const message = `the text was left out, because markup takes ${kind} ${masked} apart, fingerprint ${fingerprint}`;
  return { code: 'SECRET_FOUND', message };
}

function isPlaceholder(value: string): boolean {
  const tail = value.slice(-16);
  return new Set(tail).size <= 3 || /(?:x{6}|\*{4}|123456789|your[-_]?)/i.test(value);
}

/** Whether the credential of a URL consists only of letters or only of digits, like words and placeholders. */
function isWord(value: string): boolean {
  const [, credential] = /^[?&;][^=]*=(.*)$/.exec(value) ?? [];
  return credential !== undefined && !(/\d/.test(credential) && /[a-z]/i.test(credential));
}

/** Whether a key or JSON Web Token is an example from a manual: AWS ends its keys with EXAMPLE, jwt.io names 1234567890. */
function isSampleValue(value: string): boolean {
  if (value.endsWith('EXAMPLE')) return true;
  const claims = value.startsWith('eyJ') ? (value.split('.')[1] ?? '') : '';
  return /123456789|\bexample\b/i.test(Buffer.from(claims, 'base64url').toString());
}

/** Kinds of secrets with their patterns. */
export const secretKinds: readonly (readonly [string, RegExp])[] = [
  [
    'private key',
    /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----\s*(?:[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=\r\n]{4,}\s*-----END )/g,
  ],
  ['AWS access key', /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g],
  ['GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})/g],
  ['GitLab token', /\bglpat-[A-Za-z0-9_-]{20,}/g],
  ['Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{20,}/g],
  ['Slack webhook', /hooks\.slack\.com\/services\/T[A-Z0-9]+\/B[A-Z0-9]+\/[A-Za-z0-9]{16,}/g],
  ['Stripe key', /\b[rs]k_live_[A-Za-z0-9]{16,}/g],
  ['Google API key', /\bAIza[A-Za-z0-9_-]{35}/g],
  [
    'OpenAI or Anthropic key',
    /\bsk-(?:[A-Za-z0-9]{32,}\b|(?:proj|svcacct|admin|ant-[a-z0-9]+)-[A-Za-z0-9_-]{32,})/g,
  ],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['PyPI token', /\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{20,}/g],
  ['SendGrid key', /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/g],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{34}\b/g],
  ['Shopify token', /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g],
  ['Lectern API key', /\blk_[A-Za-z0-9]{10}_[A-Za-z0-9_-]{43}/g],
  // The header is short. Without a limit, a text with many candidate starts would take quadratic time.
  ['JSON Web Token', /\beyJ[A-Za-z0-9_-]{8,500}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}/g],
  ['DigitalOcean token', /\bdo[opr]_v1_[0-9a-f]{64}\b/g],
  [
    'credential in a URL',
    /[?&;](?:api[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret|password|secret)=[A-Za-z0-9._~-]{16,}/gi,
  ],
];

/** No secret but a private key is shorter, or has a character that {@link longRuns} ends at. */
const minSecretChars = 16;

/** Matches the start of every kind of secret but a private key. */
const secretBeginning =
  /hooks\.slack\.com|\b(?:A[KS]IA|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|[rs]k_live_|AIza|sk-|npm_|pypi-|SG\.|hf_|lk_|eyJ|shp(?:at|ca|pa|ss)_|do[opr]_v1_)|(?:key|token|secret|password)=[A-Za-z0-9._~-]/i;

/** Returns false for almost every text without a secret, and never for one with a secret. */
export function mayHaveSecret(text: string): boolean {
  return (
    text.includes('-----BEGIN ') || longRuns(text, minSecretChars).some((run) => secretBeginning.test(run))
  );
}

/** Whether a key can be searched for in text: a short key, or one of letters only, may be a normal word. */
export function isDistinctive(key: string): boolean {
  return key.length >= 8 && /[^\p{L}]/u.test(key);
}

/** Places that a message names at most. */
const maxNamed = 10;

/**
 * Stops a run whose articles contain its own API key, which no fingerprint allows.
 * @param places the records that contain it: article ids, each with a language
 * @throws SECRET_FOUND
 */
export function refuseOwnKey(
  places: readonly { readonly record: string; readonly language: LanguageTag }[],
): void {
  if (places.length === 0) return;
  const named = places.slice(0, maxNamed).map(({ record, language }) => `${record} (${language})`);
  const more = places.length > maxNamed ? `; and ${places.length - maxNamed} more` : '';
  const message = `articles contain the API key of this run: ${named.join('; ')}${more}`;
  throw new LecternError('SECRET_FOUND', message, { hint: 'revoke it and remove it from the articles' });
}
