import { sign as signBytes } from 'node:crypto';
import { expect } from 'vitest';
import { signaturePath } from '../../../../src/feed/read/feed-reader.ts';
import {
  generateSigningKey,
  parseSigningKey,
  type SignedFacts,
  signManifest,
  siteAddress,
} from '../../../../src/feed/signature.ts';
import { buildSample } from '../../../feed/support/build-sample.ts';
import { servePublished } from './conformance.ts';

/** A consumer under test, with one cursor. Returns the status, or the code of the thrown error. */
export type ApplySigned = (
  address: string,
  publicKeys: readonly string[] | null,
  nowMs: number,
  expectedSite?: string,
) => Promise<string>;

const validUntil = '2026-01-09T03:04:05.006Z';
const validMs = Date.parse(validUntil);
const [mine, other] = [generateSigningKey(), generateSigningKey()];
const secretPrefix = 'lectern-signing-key-1:';
/** Order of the Ed25519 group. */
const order = 2n ** 252n + 27742317777372353535851937790883648493n;

/** Forges the signature of a manifest; `null`: no signature. */
type Forge = (signature: string, manifest: string) => string | null;

const inLine =
  (at: number, change: (line: string) => string): Forge =>
  (signature) =>
    signature
      .split('\n')
      .map((line, index) => (index === at ? change(line) : line))
      .join('\n');
const inBytes =
  (at: number, change: (bytes: Buffer) => Buffer): Forge =>
  (signature, manifest) =>
    inLine(at, (line) => change(Buffer.from(line, 'base64')).toString('base64'))(signature, manifest);
const flipped = (line: number, byte: number, bit: number): Forge =>
  inBytes(line, (bytes) => {
    bytes[byte] = (bytes[byte] ?? 0) ^ (1 << bit);
    return bytes;
  });
const ownSite = 'https://help.example.com';
const sign = (manifest: string, secret: string, facts: Partial<SignedFacts> = {}) =>
  signManifest(Buffer.from(manifest), parseSigningKey(secret), {
    site: ownSite,
    feedId: 'f',
    seq: 1,
    validUntil,
    ...facts,
  });
const signedFor =
  (site: string): Forge =>
  (_signature, manifest) =>
    sign(manifest, mine.secret, { site });

const forgeries: readonly (readonly [name: string, code: string, forge: Forge])[] = [
  ['none', 'SIGNATURE_MISSING', () => null],
  ['empty', 'SIGNATURE_INVALID', () => ''],
  ['of another manifest', 'SIGNATURE_INVALID', (_signature, manifest) => sign(`${manifest} `, mine.secret)],
  ['of another key', 'SIGNATURE_INVALID', (_signature, manifest) => sign(manifest, other.secret)],
  ['of another key with this id', 'SIGNATURE_INVALID', (_signature, manifest) => sign(manifest, withId())],
  ['longer valid', 'SIGNATURE_INVALID', inLine(2, (line) => line.replace('2026', '2036'))],
  ['of another run', 'SIGNATURE_INVALID', inLine(2, (line) => line.replace('seq:1', 'seq:2'))],
  ['for another site', 'SIGNATURE_FOREIGN', signedFor('https://staging.example.com')],
  ['for the site with another protocol', 'SIGNATURE_FOREIGN', signedFor('http://help.example.com')],
  ['for a site with a longer address', 'SIGNATURE_FOREIGN', signedFor(`${ownSite}/beta`)],
  ['for no site', 'SIGNATURE_FOREIGN', signedFor('')],
  ['without a site', 'SIGNATURE_INVALID', (_signature, manifest) => withoutSite(manifest)],
  ['for a site that was changed', 'SIGNATURE_INVALID', inLine(2, (line) => line.replace('site:', 'site:x'))],
  ['without the comment', 'SIGNATURE_INVALID', inLine(2, () => '')],
  ['without the second signature', 'SIGNATURE_INVALID', inLine(3, () => '')],
  ['cut', 'SIGNATURE_INVALID', inBytes(1, (bytes) => bytes.subarray(0, -1))],
  [
    'of another algorithm',
    'SIGNATURE_INVALID',
    inBytes(1, (bytes) => Buffer.from([0x45, 0x64, ...bytes.subarray(2)])),
  ],
  // The equation also holds for S plus the order, which RFC 8032 forbids.
  ['with another encoding of the second S', 'SIGNATURE_INVALID', inBytes(3, addOrder)],
  ['with a bit of the id changed', 'SIGNATURE_INVALID', flipped(1, 5, 0)],
  ['with a bit of R changed', 'SIGNATURE_INVALID', flipped(1, 10, 0)],
  ['with the sign of R changed', 'SIGNATURE_INVALID', flipped(1, 41, 7)],
  ['with a bit of S changed', 'SIGNATURE_INVALID', flipped(1, 50, 3)],
  ['with a bit of the second R changed', 'SIGNATURE_INVALID', flipped(3, 3, 5)],
  ['with a bit of the second S changed', 'SIGNATURE_INVALID', flipped(3, 40, 1)],
  [
    'without a time',
    'SIGNATURE_INVALID',
    (_signature, manifest) => sign(manifest, mine.secret, { validUntil: '' }),
  ],
  [
    'with a time that is none',
    'SIGNATURE_EXPIRED',
    (_signature, manifest) => sign(manifest, mine.secret, { validUntil: 'never' }),
  ],
];

/** Signed, forged, expired and rotated keys: the consumer must react as `docs/signing.md` says. */
export async function checkSignatures(apply: ApplySigned): Promise<void> {
  const server = await servePublished();
  const publish = async (title: string, secret: string | null, forge: Forge = (signature) => signature) => {
    const output = await buildSample({
      languages: ['en'],
      articles: [{ id: 'article000', pages: { en: { title, markdown: 'Text.\n' } } }],
    });
    const manifest = output.text('feed/manifest.json');
    const signature = secret === null ? null : forge(sign(manifest, secret), manifest);
    server.publish((path) => {
      if (path === signaturePath) return signature;
      return output.paths().includes(path) ? output.text(path) : null;
    });
  };
  const { address } = server;
  const applyAt = (nowMs: number, ...keys: readonly string[]) => apply(address, keys, nowMs, ownSite);
  try {
    for (const [name, code, forge] of forgeries) {
      await publish('One', mine.secret, forge);
      expect([name, await applyAt(validMs, mine.publicKey)]).toEqual([name, code]);
    }
    await publish('One', mine.secret);
    expect(await applyAt(validMs + 1, mine.publicKey)).toBe('SIGNATURE_EXPIRED');
    // Nothing was applied before.
    expect(await applyAt(validMs, other.publicKey, mine.publicKey)).toBe('applied');
    expect(await applyAt(validMs, ` ${mine.publicKey}\n`)).toBe('unchanged');
    expect(await applyAt(validMs + 1, mine.publicKey)).toBe('SIGNATURE_EXPIRED');
    expect(await applyAt(validMs, other.publicKey)).toBe('SIGNATURE_INVALID');
    expect(await applyAt(validMs)).toBe('SIGNATURE_INVALID');

    await publish('Two', other.secret);
    expect(await applyAt(validMs, mine.publicKey)).toBe('SIGNATURE_INVALID');
    expect(await applyAt(validMs, mine.publicKey, other.publicKey)).toBe('applied');

    await publish('Three', null);
    expect(await applyAt(validMs, other.publicKey)).toBe('SIGNATURE_MISSING');
    for (const key of ['', 'RWQ=', mine.secret])
      expect(await applyAt(validMs, key)).toBe('PUBLIC_KEY_INVALID');
    expect(await apply(address, null, validMs)).toBe('applied');

    // A mirror has to be named, and the address that was asked for need not; all spellings of an address are the same.
    await publish('Four', mine.secret);
    expect(await apply(address, [mine.publicKey], validMs)).toBe('SIGNATURE_FOREIGN');
    await publish('Four', mine.secret, signedFor(address.replace(/\/$/, '')));
    expect(await applyAt(validMs, mine.publicKey)).toBe('SIGNATURE_FOREIGN');
    expect(await apply(address, [mine.publicKey], validMs)).toBe('applied');
    expect(await apply(`${address}feed/manifest.json`, [mine.publicKey], validMs)).toBe('unchanged');
    for (const [signed, asked] of spellings) {
      await publish('Four', mine.secret, signedFor(siteAddress(signed)));
      for (const site of [signed, asked]) {
        expect([site, await apply(address, [mine.publicKey], validMs, site)]).toEqual([site, 'unchanged']);
      }
    }
    for (const site of ['help.example.com', 'ftp://help.example.com', ''])
      expect([site, await apply(address, [mine.publicKey], validMs, site)]).toEqual([
        site,
        'FEED_ADDRESS_INVALID',
      ]);
    expect(await apply('/nowhere', [mine.publicKey], validMs)).toBe('OPTION_MISSING');
    expect(await apply('/nowhere', [mine.publicKey], validMs, ownSite)).toBe('FEED_INVALID');
  } finally {
    await server.stop();
  }
}

/** URLs that no consumer accepts, with their error codes. */
export async function checkAddresses(apply: ApplySigned): Promise<void> {
  for (const address of [
    'http://help.example.com/',
    'HTTP://help.example.com',
    'http://127.0.0.1.example.com/',
  ]) {
    expect([address, await apply(address, null, validMs)]).toEqual([address, 'FEED_ADDRESS_INVALID']);
  }
  expect(await apply('/nowhere/feed/manifest.json', null, validMs)).toBe('FEED_INVALID');
}

/** Pairs of addresses of the same site: as configured, and as somebody else may write it. */
const spellings = [
  ['https://help.example.com', 'HTTPS://Help.Example.com:443/feed/manifest.json?x#y'],
  ['https://example.com/docs/', 'https://example.com/docs/feed/'],
  ['https://example.com:8443', 'https://EXAMPLE.com:8443/'],
  ['https://hilfe.bücher.example/größe', 'https://hilfe.xn--bcher-kva.example/gr%C3%B6%C3%9Fe/'],
  ['http://[::1]:8080/', 'http://[::1]:8080'],
] as const;

/** A signature of the form without site. */
function withoutSite(manifest: string): string {
  const { id, privateKey } = parseSigningKey(mine.secret);
  const bytes = Buffer.from(sign(manifest, mine.secret).split('\n')[1] ?? '', 'base64');
  const comment = `feed_id:f seq:1 valid_until:${validUntil}`;
  const signature = bytes.subarray(2 + id.length);
  const whole = signBytes(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey);
  const lines = ['untrusted comment: x', bytes.toString('base64'), `trusted comment: ${comment}`];
  return [...lines, whole.toString('base64'), ''].join('\n');
}

/** Another key with the id of the right one. */
function withId(): string {
  const [own, theirs] = [mine, other].map(({ secret }) =>
    Buffer.from(secret.slice(secretPrefix.length), 'base64'),
  );
  const bytes = [own?.subarray(0, 8), theirs?.subarray(8)].map((part) => part ?? Buffer.of());
  return `${secretPrefix}${Buffer.concat(bytes).toString('base64')}`;
}

function addOrder(signature: Buffer): Buffer {
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order;
  const bytes = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return Buffer.concat([signature.subarray(0, 32), bytes]);
}
