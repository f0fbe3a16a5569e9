import { join } from 'node:path';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { readFileOrNull, readWholeFile } from '../core/file-system.ts';
import { manifestPath, signaturePath } from '../feed/read/feed-reader.ts';
import {
  parseSigningKey,
  type SigningKey,
  signManifest,
  siteAddress,
  validUntilMs,
} from '../feed/signature.ts';
import type { Staging } from '../output/staging.ts';
import type { BuildOptions } from './build-options.ts';

/** The key that signs the feed of a run; `null`: no signature. @throws SIGNING_KEY_INVALID (exit 2) */
export function signingKeyOf({ signingKey }: Pick<BuildOptions, 'signingKey'>): SigningKey | null {
  return signingKey == null || signingKey === '' ? null : parseSigningKey(signingKey);
}

/** The address that a signature names: readers compare it with the one that they were asked to read. */
export function signedSite({ siteUrl }: Pick<ResolvedConfig, 'siteUrl'>): string {
  return siteUrl === undefined ? '' : siteAddress(siteUrl);
}

/** Signs the staged manifest. @param hours how long the signature is valid */
export async function signFeed(
  staging: Pick<Staging, 'workspace' | 'write'>,
  key: SigningKey,
  run: { readonly site: string; readonly feedId: string; readonly seq: number; readonly now: string },
  hours: number,
): Promise<void> {
  const manifest = readWholeFile(join(staging.workspace().folder, manifestPath));
  const validUntil = new Date(Date.parse(run.now) + hours * 3_600_000).toISOString();
  await staging.write(signaturePath, signManifest(manifest, key, { ...run, validUntil }));
}

/**
 * Whether an output is already signed as this run would sign it: not at all without a key; with a key, if it signed the feed for this
 * site and the signature is valid for more than half of the hours. Otherwise the feed is signed again, even if nothing changed.
 */
export function isSignedAsWanted(
  out: string,
  key: SigningKey | null,
  now: string,
  config: Pick<ResolvedConfig, 'siteUrl' | 'feed'>,
): boolean {
  const signature = readFileOrNull(join(out, signaturePath));
  if (key === null || signature === null) return key === null && signature === null;
  const manifest = readFileOrNull(join(out, manifestPath)) ?? Buffer.of();
  const untilMs = validUntilMs(manifest, signature, key, signedSite(config));
  return untilMs !== null && untilMs - Date.parse(now) > (config.feed.signatureHours * 3_600_000) / 2;
}
