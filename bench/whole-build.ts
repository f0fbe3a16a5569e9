import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Matches files that depend on earlier runs, not only on the knowledge base: a translation keeps its date while its body is the same. */
const history = /^(?:feed\/(?:manifest\.json|changes\/.*)|addresses\.json|_redirects|output-files\.txt)$/;

/** Files with the date of a document. */
const dated = /(?:\.md|(?:^|\/)(?:source\.(?:txt|json)|llms-full\.txt|documents\.jsonl))$/;

/** Hash of all files of an output with their paths, except the history of the feed. */
export function hashPages(folder: string): string {
  const lines = listFiles(folder)
    .filter((path) => !history.test(path))
    .map((path) => {
      const content = readFileSync(join(folder, path));
      const undated = content
        .toString()
        .replaceAll(/^(?:updated_at|Updated): .*$|"updated_at":"[^"]*",|,"source_body_hash":"[^"]*"/gm, '');
      return `${path} ${hash('sha256', dated.test(path) ? undated : content)}`;
    });
  return hash('sha256', lines.join('\n'));
}

/** Throws unless every file in the manifest exists and has the listed hash. */
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
