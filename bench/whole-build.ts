import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What depends on the runs before, and not on the knowledge base alone. */
const history =
  /^(?:feed\/(?:manifest\.json|tombstones\.jsonl|changes\/.*)|addresses\.json|_redirects|output-files\.txt)$/;

/** One hash over every file of an output with its path, but for the feed's history. */
export function hashPages(folder: string): string {
  const lines = listFiles(folder)
    .filter((path) => !history.test(path))
    .map((path) => `${path} ${hash('sha256', readFileSync(join(folder, path)))}`);
  return hash('sha256', lines.join('\n'));
}

/** Throws unless every file the manifest names is there with the hash it names. */
export function checkManifest(folder: string): void {
  const manifest = JSON.parse(readFileSync(join(folder, 'feed/manifest.json'), 'utf8')) as {
    readonly files: readonly { readonly path: string; readonly sha256: string }[];
  };
  for (const { path, sha256 } of manifest.files) {
    const found = hash('sha256', readFileSync(join(folder, path)));
    if (found !== sha256) throw new Error(`${path} is not the file the manifest names`);
  }
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
