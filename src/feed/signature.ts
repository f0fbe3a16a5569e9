import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { LecternError } from '../foundation/errors.ts';
import { manifestPath, signaturePath } from './feed-reader.ts';

/**
 * Signatures of a feed: Ed25519 over the manifest, which names the hash of every other file. Files and keys have the format of minisign
 * (jedisct1.github.io/minisign), so that its command verifies them, too. The signed trusted comment says who signed and until when it is
 * valid.
 */

/** Contents of a signature besides the signed manifest. */
export interface SignedFacts {
  readonly feedId: string;
  readonly seq: number;
  /** ISO 8601 in UTC. After it, consumers treat the feed as outdated. */
  readonly validUntil: string;
}

export interface SigningKey {
  readonly id: Buffer;
  readonly privateKey: KeyObject;
}

export interface PublicKey {
  readonly id: Buffer;
  readonly key: KeyObject;
}

const secretPrefix = 'lectern-signing-key-1:';
/** Algorithm names of minisign: of keys, and of signatures over a BLAKE2b-512 hash. */
const keyAlgorithm = Buffer.from('Ed');
const signatureAlgorithm = Buffer.from('ED');
/** PKCS #8 and SPKI prefixes of the 32 bytes of an Ed25519 key (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const spki = Buffer.from('302a300506032b6570032100', 'hex');
const idBytes = 8;
const keyBytes = 32;
const signatureBytes = 64;

/** Generates a key pair: `secret` for the variable LECTERN_SIGNING_KEY, `publicKey` for readers of the feed. */
export function generateSigningKey(): { readonly secret: string; readonly publicKey: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-keyBytes);
  const id = randomBytes(idBytes);
  return {
    secret: `${secretPrefix}${Buffer.concat([id, seed]).toString('base64')}`,
    publicKey: formatPublicKey({ id, privateKey }),
  };
}

/** The public half of a key, in the form that minisign's `-P` accepts. */
export function formatPublicKey({ id, privateKey }: SigningKey): string {
  const raw = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-keyBytes);
  return Buffer.concat([keyAlgorithm, id, raw]).toString('base64');
}

/** @throws SIGNING_KEY_INVALID (exit 2); the message does not contain the key */
export function parseSigningKey(text: string): SigningKey {
  const bytes = Buffer.from(text.trim().slice(secretPrefix.length), 'base64');
  if (!text.trim().startsWith(secretPrefix) || bytes.length !== idBytes + keyBytes) {
    throw new LecternError('SIGNING_KEY_INVALID', 'LECTERN_SIGNING_KEY is not a key of lectern keygen', {
      hint: 'set it to the secret key of lectern keygen, or unset it',
      exitCode: 2,
    });
  }
  const key = Buffer.concat([pkcs8, bytes.subarray(idBytes)]);
  return {
    id: bytes.subarray(0, idBytes),
    privateKey: createPrivateKey({ key, format: 'der', type: 'pkcs8' }),
  };
}

/** @throws PUBLIC_KEY_INVALID (exit 2) */
export function parsePublicKey(text: string): PublicKey {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== 2 + idBytes + keyBytes || !bytes.subarray(0, 2).equals(keyAlgorithm)) {
    throw new LecternError('PUBLIC_KEY_INVALID', `${JSON.stringify(text.slice(0, 80))} is not a public key`, {
      hint: 'use the public key of lectern keygen; it begins with RW',
      exitCode: 2,
    });
  }
  const key = Buffer.concat([spki, bytes.subarray(2 + idBytes)]);
  return { id: bytes.subarray(2, 2 + idBytes), key: createPublicKey({ key, format: 'der', type: 'spki' }) };
}

/** Content of {@link signaturePath}. */
export function signManifest(manifest: Uint8Array, key: SigningKey, facts: SignedFacts): string {
  const signature = sign(null, hash('blake2b512', manifest, 'buffer'), key.privateKey);
  const comment = `feed_id:${facts.feedId} seq:${facts.seq} valid_until:${facts.validUntil}`;
  const whole = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key.privateKey);
  return [
    'untrusted comment: signature of a Lectern feed',
    Buffer.concat([signatureAlgorithm, key.id, signature]).toString('base64'),
    `trusted comment: ${comment}`,
    whole.toString('base64'),
    '',
  ].join('\n');
}

/**
 * Checks a signature of a manifest.
 * @param keys accepted keys: several during a key rotation
 * @throws SIGNATURE_MISSING, SIGNATURE_INVALID, SIGNATURE_EXPIRED
 */
export function verifySignature(
  manifest: Uint8Array,
  signatureFile: Uint8Array | null,
  keys: readonly PublicKey[],
  nowMs: number,
): SignedFacts {
  if (signatureFile === null) {
    throw fault(
      'SIGNATURE_MISSING',
      `${signaturePath} is missing`,
      'publish the feed with LECTERN_SIGNING_KEY set',
    );
  }
  const [, first = '', comment = '', second = ''] = Buffer.from(signatureFile).toString().split('\n');
  const bytes = Buffer.from(first, 'base64');
  const signature = bytes.subarray(2 + idBytes);
  const key = keys.find(({ id }) => id.equals(bytes.subarray(2, 2 + idBytes)));
  if (signature.length !== signatureBytes || !bytes.subarray(0, 2).equals(signatureAlgorithm)) {
    throw invalid(`${signaturePath} is not a signature`);
  }
  if (key === undefined) throw invalid(`${signaturePath} was made with a key that is not accepted`);
  const text = /^trusted comment: (.*)$/.exec(comment)?.[1] ?? '';
  const isSigned = verify(null, hash('blake2b512', manifest, 'buffer'), key.key, signature);
  const signed = Buffer.concat([signature, Buffer.from(text)]);
  if (!isSigned || !verify(null, signed, key.key, Buffer.from(second, 'base64'))) {
    throw invalid(`${manifestPath} does not match its signature`);
  }
  const facts = parseComment(text);
  if (facts === null) throw invalid(`${signaturePath} names no feed and no expiry time`);
  if (!(nowMs <= Date.parse(facts.validUntil))) {
    throw fault(
      'SIGNATURE_EXPIRED',
      `the signature of the feed was valid until ${facts.validUntil}`,
      'this copy of the feed is outdated; read it from its source, or run the scheduled build',
    );
  }
  return facts;
}

/** Time until which a signature is valid, in milliseconds since 1970; `null` if this key did not sign it. */
export function validUntilMs(
  manifest: Uint8Array,
  signatureFile: Uint8Array | null,
  key: SigningKey,
): number | null {
  try {
    const own = parsePublicKey(formatPublicKey(key));
    return Date.parse(verifySignature(manifest, signatureFile, [own], 0).validUntil);
  } catch {
    return null;
  }
}

function parseComment(text: string): SignedFacts | null {
  const [, feedId, seq, validUntil] = /^feed_id:(\S+) seq:(\d+) valid_until:(\S+)$/.exec(text) ?? [];
  if (feedId === undefined || validUntil === undefined) return null;
  return { feedId, seq: Number(seq), validUntil };
}

function invalid(message: string): LecternError {
  return fault(
    'SIGNATURE_INVALID',
    message,
    'do not use this feed; if it was just uploaded, try again, else ask its publisher for the key',
  );
}

function fault(code: string, message: string, hint: string): LecternError {
  return new LecternError(code, message, { hint });
}
