import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeFolder } from '../output/describe-folder.ts';

const program = fileURLToPath(new URL('..', import.meta.url));

/** The search's tokenizer lies here: what the index is made of depends on it. */
const builtInAssets = fileURLToPath(new URL('../../templates/assets', import.meta.url));

/**
 * Names everything that makes an output besides its inputs: the program's own files, the packages it uses, and what of
 * Node its output depends on. What an earlier engine made is not trusted.
 */
export function describeEngine(): string {
  const { v8, icu, unicode } = process.versions;
  return hash(
    'sha256',
    JSON.stringify([
      describeFolder(program, 'content'),
      describeFolder(builtInAssets, 'content'),
      packageVersions(),
      v8,
      icu,
      unicode,
    ]),
  );
}

function packageVersions(): readonly (readonly [name: string, version: string | null])[] {
  const { dependencies } = readManifest(join(program, '../package.json'));
  const require = createRequire(import.meta.url);
  return Object.keys(dependencies ?? {}).map((name) => {
    const manifest = (require.resolve.paths(name) ?? [])
      .map((folder) => join(folder, name, 'package.json'))
      .find((path) => existsSync(path));
    return [name, manifest === undefined ? null : (readManifest(manifest).version ?? null)];
  });
}

interface PackageManifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readManifest(path: string): PackageManifest {
  return JSON.parse(readFileSync(path, 'utf8')) as PackageManifest;
}
