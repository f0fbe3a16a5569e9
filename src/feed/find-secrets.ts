import { sha256 } from './record-ids.ts';

/** A credential found in a text. Its value is in nothing but the text itself. */
export interface Secret {
  /** e.g. `AWS access key`. */
  readonly kind: string;
  /** First and last characters, for the author to find it by. */
  readonly masked: string;
  /** What `feed.allowSecrets` names it by: the first 16 digits of its SHA-256. */
  readonly fingerprint: string;
}

const kinds: readonly (readonly [string, RegExp])[] = [
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
  ['DigitalOcean token', /\bdo[opr]_v1_[0-9a-f]{64}\b/g],
];

/**
 * Finds private keys and tokens with a well-known prefix. Placeholders (`ghp_xxxx…`, AWS's own `…EXAMPLE`) are none.
 * Give plain text and Markdown one after the other: escapes hide a token in one, addresses in the other.
 */
export function findSecrets(text: string): readonly Secret[] {
  const found = new Map<string, Secret>();
  for (const [kind, pattern] of kinds) {
    for (const [value] of text.matchAll(pattern)) {
      if (isPlaceholder(value)) continue;
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
