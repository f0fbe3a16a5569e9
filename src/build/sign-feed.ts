import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestPath, signaturePath } from '../feed/manifest.ts';
import { parseSigningKey, type SigningKey, signManifest, validUntilMs } from '../feed/signature.ts';
import type { Staging } from '../output/staging.ts';
import type { BuildOptions } from './build-options.ts';

/** The key that signs the feed of a run; `null`: it is not signed. @throws SIGNING_KEY_INVALID (exit 2) */
export function signingKeyOf({ signingKey }: Pick<BuildOptions, 'signingKey'>): SigningKey | null {
  return signingKey == null || signingKey === '' ? null : parseSigningKey(signingKey);
}

/** Signs the manifest that was staged. @param hours for which the signature is valid */
export async function signFeed(
  staging: Pick<Staging, 'workspace' | 'write'>,
  key: SigningKey,
  run: { readonly feedId: string; readonly seq: number; readonly now: string },
  hours: number,
): Promise<void> {
  const manifest = readFileSync(join(staging.workspace().folder, manifestPath));
  const validUntil = new Date(Date.parse(run.now) + hours * 3_600_000).toISOString();
  await staging.write(signaturePath, signManifest(manifest, key, { ...run, validUntil }));
}

/**
 * Whether an output is signed as this run would sign it: not at all without a key, else with this key and for more than half of the
 * hours still. Anything else has to be signed again, even where nothing has changed.
 */
export function isSignedAsWanted(out: string, key: SigningKey | null, now: string, hours: number): boolean {
  const signature = readOrNull(join(out, signaturePath));
  if (key === null || signature === null) return key === null && signature === null;
  const untilMs = validUntilMs(readOrNull(join(out, manifestPath)) ?? Buffer.of(), signature, key);
  return untilMs !== null && untilMs - Date.parse(now) > (hours * 3_600_000) / 2;
}

function readOrNull(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
