import { sha256 } from '../records/record-ids.ts';
import { secretBeginning, secretKinds } from './secret-kinds.ts';

/** A credential found in a text. Its value is in nothing but the text itself. */
export interface Secret {
  /** e.g. `AWS access key`. */
  readonly kind: string;
  /** First and last characters, for the author to find it by. */
  readonly masked: string;
  /** What `feed.allowSecrets` names it by: the first 16 digits of its SHA-256. */
  readonly fingerprint: string;
}

/**
 * Finds private keys, tokens with a well-known prefix and JSON Web Tokens. Placeholders (`ghp_xxxx…`, AWS's own `…EXAMPLE`) are none.
 * Give plain text and Markdown one after the other: escapes hide a token in one, addresses in the other.
 */
export function findSecrets(text: string): readonly Secret[] {
  if (!secretBeginning.test(text)) return [];
  const found = new Map<string, Secret>();
  for (const [kind, pattern] of secretKinds) {
    for (const [value] of text.matchAll(pattern)) {
      if (isPlaceholder(value) || isSampleToken(value)) continue;
      const fingerprint = sha256(value).slice(0, 16);
      found.set(fingerprint, { kind, masked: `${value.slice(0, 6)}…${value.slice(-2)}`, fingerprint });
    }
  }
  return [...found.values()];
}

function isPlaceholder(value: string): boolean {
  const tail = value.slice(-16);
  return (
    value.endsWith('EXAMPLE') || new Set(tail).size <= 3 || /(?:x{6}|\*{4}|123456789|your[-_]?)/i.test(value)
  );
}

/** Whether a JSON Web Token names nobody but an example, as the ones that manuals show do. */
function isSampleToken(value: string): boolean {
  const claims = value.startsWith('eyJ') ? (value.split('.')[1] ?? '') : '';
  return /123456789|\bexample\b/i.test(Buffer.from(claims, 'base64url').toString());
}
