import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeFolder } from '../output/describe-folder.ts';

const program = fileURLToPath(new URL('..', import.meta.url));

/** The search's tokenizer lies here: what the index is made of depends on it. */
const builtInAssets = fileURLToPath(new URL('../../templates/assets', import.meta.url));

/**
 * Hash of everything that makes an output besides its inputs: the program's own files, the packages it uses, and what of
 * Node its output depends on. What another program made is not reused.
 */
export function describeProgram(): string {
  return describeParts(describeFolder);
}

/**
 * The same without reading the files. With the same stamp the program is the same: the time of the
 * last change of an inode cannot be set, so not even a package manager that gives every file one date hides a change.
 */
export function stampProgram(): string {
  return describeParts(stampFolder);
}

type DescribeFolder = (folder: string) => string | null;

function describeParts(describe: DescribeFolder): string {
  const { v8, icu, unicode, zlib, brotli } = process.versions;
  const parts = [...describeLoaded(describe), describe(builtInAssets), v8, icu, unicode, zlib, brotli];
  return hash('sha256', JSON.stringify(parts));
}

/** A process runs what it loaded at its start: that is described once, however many builds a preview makes. */
const loaded = new Map<DescribeFolder, readonly unknown[]>();

function describeLoaded(describe: DescribeFolder): readonly unknown[] {
  const known = loaded.get(describe);
  if (known !== undefined) return known;
  const parts = [describe(program), packageVersions()];
  loaded.set(describe, parts);
  return parts;
}

function stampFolder(folder: string): string {
  const lines = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { ino, size, mtimeMs, ctimeMs } = statSync(join(folder, name));
      return [name, ino, size, mtimeMs, ctimeMs].join('\t');
    });
  return hash('sha256', lines.join('\n'));
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
