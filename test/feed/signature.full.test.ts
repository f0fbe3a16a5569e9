import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyFeed } from '../../src/consumers/follow/apply-feed.ts';
import { createFolderReader, signaturePath } from '../../src/feed/read/feed-reader.ts';
import {
  generateSigningKey,
  parsePublicKey,
  parseSigningKey,
  signManifest,
  verifySignature,
} from '../../src/feed/signature.ts';
import { verifyFeed } from '../../src/feed/verify/verify-feed.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';

const day = 24 * 3_600_000;
const builtAt = '2026-01-02T03:04:05.000Z';
const builtMs = Date.parse(builtAt);
const mine = generateSigningKey();
const other = generateSigningKey();

let project: OfflineProject;
beforeEach(async () => {
  project = await createOfflineProject();
  await write('One');
});
afterEach(() => project.remove());

const write = (title: string) =>
  project.write([{ id: 'aaaaaaaaaa', categoryId: null, texts: { en: { title, body: '<p>Text.</p>' } } }], []);
const build = (signingKey: string | null, now = builtAt) => project.build({}, { signingKey, now });
const fileOf = (path: string) => join(project.out, path);

const expectedSite = 'https://help.example.com';

const apply = (publicKeys: readonly string[], nowMs = builtMs) => {
  const chunks: string[] = [];
  return applyFeed(project.out, {
    cursor: join(project.folder, 'cursor'),
    publicKeys,
    expectedSite,
    now: () => nowMs,
    upsert: (changed) =>
      void chunks.push(...changed.flatMap((each) => each.chunks.map(({ chunk }) => chunk.text))),
    delete: () => {},
  }).then(({ status }) => [status, chunks.length]);
};

describe('a signed feed', () => {
  it('is applied with the key that signed it, alone or beside another', async () => {
    await build(mine.secret);
    expect(await apply([other.publicKey, mine.publicKey])).toEqual(['applied', 1]);
    expect(await apply([mine.publicKey])).toEqual(['unchanged', 0]);
    expect(await build(mine.secret)).toMatchObject({ renderedPages: 0 });
  });

  it.each<[name: string, code: string, damage: () => void]>([
    ['is not signed', 'SIGNATURE_MISSING', () => rmSync(fileOf(signaturePath))],
    ['has a changed manifest', 'SIGNATURE_INVALID', () => edit('feed/manifest.json', '"seq": 1', '"seq": 2')],
    [
      'claims to be valid for longer',
      'SIGNATURE_INVALID',
      () => edit(signaturePath, '2026-01-09', '2027-01-09'),
    ],
    ['claims to be of another run', 'SIGNATURE_INVALID', () => edit(signaturePath, 'seq:1', 'seq:9')],
    ['has half a signature', 'SIGNATURE_INVALID', () => edit(signaturePath, /\n.*\n(?:.|\n)*/, '\nRUQ=\n')],
    ['is signed by somebody else', 'SIGNATURE_INVALID', () => signBy(other.secret)],
    [
      'is signed for another site',
      'SIGNATURE_FOREIGN',
      () => signBy(mine.secret, 'https://staging.example.com'),
    ],
    [
      'claims to be of another site',
      'SIGNATURE_INVALID',
      () => edit(signaturePath, expectedSite, 'https://a.example'),
    ],
    ['is signed by somebody who takes the id of the key', 'SIGNATURE_INVALID', () => signBy(forged())],
  ])('that %s is refused, by verify too', async (_name, code, damage) => {
    await build(mine.secret);
    damage();
    await expect(apply([mine.publicKey])).rejects.toMatchObject({ code });
    const keys = [parsePublicKey(mine.publicKey)];
    const { findings } = await verifyFeed(createFolderReader(project.out).read, {
      signature: { keys, site: expectedSite, nowMs: builtMs },
    });
    expect(findings.map((finding) => finding.code)).toContain(code);
  });

  it('expires, so that a mirror that stays behind is noticed although nothing in it changed', async () => {
    await build(mine.secret);
    await apply([mine.publicKey]);
    expect(await apply([mine.publicKey], builtMs + 7 * day)).toEqual(['unchanged', 0]);
    await expect(apply([mine.publicKey], builtMs + 7 * day + 1)).rejects.toMatchObject({
      code: 'SIGNATURE_EXPIRED',
    });
  });

  it('is signed again when half of its time is over, although nothing changed', async () => {
    await build(mine.secret);
    const signature = readFileSync(fileOf(signaturePath), 'utf8');
    await build(mine.secret, new Date(builtMs + 3 * day).toISOString());
    expect(readFileSync(fileOf(signaturePath), 'utf8')).toBe(signature);
    await build(mine.secret, new Date(builtMs + 4 * day).toISOString());
    expect(await apply([mine.publicKey], builtMs + 8 * day)).toEqual(['applied', 1]);
  });

  it('is signed again for a site with another address, although nothing else changed', async () => {
    await build(mine.secret);
    const moved = 'https://www.example.com/help/';
    signBy(mine.secret, 'https://staging.example.com');
    await build(mine.secret);
    expect(await apply([mine.publicKey])).toEqual(['applied', 1]);
    await project.build({ siteUrl: moved }, { signingKey: mine.secret, now: builtAt });
    await expect(apply([mine.publicKey])).rejects.toMatchObject({
      code: 'SIGNATURE_FOREIGN',
      message: 'the feed is signed for https://www.example.com/help, not for https://help.example.com',
    });
  });

  it('is signed with another key, or not at all, when the key of the build is another one', async () => {
    await build(mine.secret);
    await build(other.secret);
    expect(await apply([other.publicKey])).toEqual(['applied', 1]);
    await build(null);
    await expect(apply([other.publicKey])).rejects.toMatchObject({ code: 'SIGNATURE_MISSING' });
  });
});

describe('a key', () => {
  it.each(['x', 'lectern-signing-key-1:AAAA', mine.publicKey])(
    'that is none is refused: %j',
    async (text) => {
      await expect(build(text)).rejects.toMatchObject({ code: 'SIGNING_KEY_INVALID', exitCode: 2 });
    },
  );

  it.each(['', 'RWQ=', mine.secret])('that is no public one is refused: %j', async (text) => {
    await expect(apply([text])).rejects.toMatchObject({ code: 'PUBLIC_KEY_INVALID', exitCode: 2 });
  });

  it('signs what it verifies, and an error message never contains it', () => {
    const manifest = Buffer.from('{}');
    const facts = { site: expectedSite, feedId: 'f', seq: 7, validUntil: builtAt };
    const file = Buffer.from(signManifest(manifest, parseSigningKey(mine.secret), facts));
    expect(
      verifySignature(
        manifest,
        file,
        { keys: [parsePublicKey(mine.publicKey)], site: expectedSite },
        builtMs,
      ),
    ).toEqual(facts);
    expect(() => parseSigningKey(`${mine.secret}x y`)).not.toThrow(mine.secret);
  });
});

function edit(path: string, from: string | RegExp, to: string): void {
  const text = readFileSync(fileOf(path), 'utf8');
  expect(text.replace(from, to)).not.toBe(text);
  writeFileSync(fileOf(path), text.replace(from, to));
}

function signBy(secret: string, site = expectedSite): void {
  const facts = { site, feedId: 'f', seq: 1, validUntil: '2026-02-01T00:00:00.000Z' };
  const manifest = readFileSync(fileOf('feed/manifest.json'));
  writeFileSync(fileOf(signaturePath), signManifest(manifest, parseSigningKey(secret), facts));
}

/** Another key under the id of the right one. */
function forged(): string {
  const prefix = 'lectern-signing-key-1:';
  const [own, theirs] = [mine, other].map(({ secret }) => Buffer.from(secret.slice(prefix.length), 'base64'));
  return `${prefix}${Buffer.concat([own?.subarray(0, 8) ?? Buffer.of(), theirs?.subarray(8) ?? Buffer.of()]).toString('base64')}`;
}
