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
import { parseUrl } from '../core/addresses.ts';
import { LecternError } from '../core/errors.ts';
import { isUrl, manifestPath, type ReadFeedFile, signaturePath } from './read/feed-reader.ts';

/**
 * Signatures of a feed: Ed25519 over the manifest, which names the hash of every other file. Files and keys have the format of minisign
 * (jedisct1.github.io/minisign), so that its command verifies them, too. The signed trusted comment says of which site the feed is and
 * until when the signature is valid.
 */

/** Contents of a signature besides the signed manifest. */
export interface SignedFacts {
  /** Address of the published site, as of {@link siteAddress}; empty if the build had none. */
  readonly site: string;
  readonly feedId: string;
  readonly seq: number;
  /** ISO 8601 in UTC. After it, consumers treat the feed as outdated. */
  readonly validUntil: string;
}

export interface SigningKey {
  readonly id: Buffer;
  readonly privateKey: KeyObject;
}

interface PublicKey {
  readonly id: Buffer;
  readonly key: KeyObject;
}

/** What a reader accepts: one key often signs the feeds of several sites. */
export interface FeedTrust {
  /** Accepted keys: several during a key rotation. */
  readonly keys: readonly PublicKey[];
  /** The site that the feed must be of, as of {@link siteAddress}. */
  readonly site: string;
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
/** A signature has some 400 bytes. */
const mostSignatureBytes = 8192;

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
    throw new LecternError('SIGNING_KEY_INVALID', 'LECTERN_SIGNING_KEY is not a key of lectern feed keygen', {
      hint: 'set it to the secret key of lectern feed keygen, or unset it',
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
      hint: 'use the public key of lectern feed keygen; it begins with RW',
      exitCode: 2,
    });
  }
  const key = Buffer.concat([spki, bytes.subarray(2 + idBytes)]);
  return { id: bytes.subarray(2, 2 + idBytes), key: createPublicKey({ key, format: 'der', type: 'spki' }) };
}

/**
 * The form of a site's address in which two are compared: without trailing slash, query and the path of the feed.
 * @throws FEED_ADDRESS_INVALID (exit 2)
 */
export function siteAddress(address: string): string {
  const url = parseUrl(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new LecternError('FEED_ADDRESS_INVALID', `${address} is not the URL of a site`, {
      hint: 'pass the URL of the published site, e.g. https://help.example.com/',
      exitCode: 2,
    });
  }
  return url.origin + url.pathname.replace(/(?:\/feed(?:\/manifest\.json)?)?\/*$/, '');
}

/**
 * What a reader of a feed accepts.
 * @param location folder or URL that the feed is read from
 * @param site address of the published site, if it is not `location`: for a mirror or a folder
 * @throws PUBLIC_KEY_INVALID, FEED_ADDRESS_INVALID, OPTION_MISSING (exit 2)
 */
export function parseTrust(
  publicKeys: readonly string[],
  location: string,
  site: string | undefined,
): FeedTrust {
  const keys = publicKeys.map(parsePublicKey);
  if (site === undefined && !isUrl(location)) {
    throw new LecternError(
      'OPTION_MISSING',
      `the folder ${location} has no address to compare with the signed one`,
      {
        hint: 'name the published site: --site https://help.example.com, or expectedSite of applyFeed',
        exitCode: 2,
      },
    );
  }
  return { keys, site: siteAddress(site ?? location) };
}

/** Content of {@link signaturePath}. */
export function signManifest(manifest: Uint8Array, key: SigningKey, facts: SignedFacts): string {
  const signature = sign(null, hash('blake2b512', manifest, 'buffer'), key.privateKey);
  const comment = `site:${facts.site} feed_id:${facts.feedId} seq:${facts.seq} valid_until:${facts.validUntil}`;
  const whole = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key.privateKey);
  return [
    'untrusted comment: signature of a Lectern feed',
    Buffer.concat([signatureAlgorithm, key.id, signature]).toString('base64'),
    `trusted comment: ${comment}`,
    whole.toString('base64'),
    '',
  ].join('\n');
}

/** The check of a feed's manifest for readers that change something: reads its signature, and throws like {@link verifySignature}. */
export function createSignatureCheck(
  read: ReadFeedFile,
  trust: FeedTrust,
  now: () => number,
): (manifest: Uint8Array) => Promise<void> {
  return async (manifest) => {
    verifySignature(manifest, await read(signaturePath, mostSignatureBytes), trust, now());
  };
}

/** Codes of the errors of a signature. */
export type SignatureCode =
  | 'SIGNATURE_MISSING'
  | 'SIGNATURE_INVALID'
  | 'SIGNATURE_FOREIGN'
  | 'SIGNATURE_EXPIRED';

/**
 * Checks a signature of a manifest.
 * @throws SIGNATURE_MISSING, SIGNATURE_INVALID, SIGNATURE_FOREIGN, SIGNATURE_EXPIRED
 */
export function verifySignature(
  manifest: Uint8Array,
  signatureFile: Uint8Array | null,
  { keys, site }: FeedTrust,
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
  if (facts === null) throw invalid(`${signaturePath} names no site, no feed and no expiry time`);
  if (facts.site !== site) {
    throw fault(
      'SIGNATURE_FOREIGN',
      `the feed is signed for ${facts.site || 'no site'}, not for ${site}`,
      'if you read a copy of that site, name its address (--site, expectedSite); else do not use this feed; the signed address is siteUrl of the build',
    );
  }
  if (!(nowMs <= Date.parse(facts.validUntil))) {
    throw fault(
      'SIGNATURE_EXPIRED',
      `the signature of the feed was valid until ${facts.validUntil}`,
      'this copy of the feed is outdated; read it from its source, or run the scheduled build',
    );
  }
  return facts;
}

/** Time until which a signature is valid, in milliseconds since 1970; `null` if this key did not sign it for this site. */
export function validUntilMs(
  manifest: Uint8Array,
  signatureFile: Uint8Array | null,
  key: SigningKey,
  site: string,
): number | null {
  try {
    const keys = [parsePublicKey(formatPublicKey(key))];
    return Date.parse(verifySignature(manifest, signatureFile, { keys, site }, 0).validUntil);
  } catch {
    return null;
  }
}

function parseComment(text: string): SignedFacts | null {
  const [, site, feedId, seq, validUntil] =
    /^site:(\S*) feed_id:(\S+) seq:(\d+) valid_until:(\S+)$/.exec(text) ?? [];
  if (site === undefined || feedId === undefined || validUntil === undefined) return null;
  return { site, feedId, seq: Number(seq), validUntil };
}

function invalid(message: string): LecternError {
  return fault(
    'SIGNATURE_INVALID',
    message,
    'do not use this feed; if it was just uploaded, try again, else ask its publisher for the key',
  );
}

function fault(code: SignatureCode, message: string, hint: string): LecternError {
  return new LecternError(code, message, { hint });
}
