import { type Asset, fingerprint } from './assets.ts';
import { type NamedFiles, resolveFileUrl } from './public-files.ts';

/**
 * What names a file in a style sheet, and what only looks like it: comments and strings are skipped as a whole. Groups: the
 * string of an `@import`, or what is inside `url()`, with its quotes.
 */
const reference =
  /\/\*[\s\S]*?\*\/|@import\s+("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\burl\(\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\s"'()]+)\s*\)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/gi;

/**
 * Fingerprints the site's own style sheets: files that they name with `url()` or `@import` get the URL under which they are
 * published; nothing else changes.
 * @param sheets content by name
 * @throws SITE_FILE_MISSING, with sheet and line
 */
export function linkStyles(sheets: ReadonlyMap<string, Uint8Array>, files: NamedFiles): readonly Asset[] {
  const done = new Map<string, Asset>();
  const link = (name: string, content: Uint8Array, from: readonly string[]): Asset => {
    const known = done.get(name);
    if (known !== undefined) return known;
    const text = Buffer.from(content).toString('utf8');
    const linked = text.replace(
      reference,
      (whole, imported: string | undefined, named: string | undefined, at: number) => {
        const quoted = imported ?? named;
        if (quoted === undefined) return whole;
        const quote = /^["']/.exec(quoted)?.[0] ?? '';
        const value = quote === '' ? quoted : quoted.slice(1, -1);
        if (value === '' || value.startsWith('#')) return whole;
        const line = text.slice(0, at).split('\n').length;
        const imports = value.replace(/^\.\//, '');
        const other = sheets.get(imports);
        // A browser ignores an import that closes a circle.
        if (imports === name || from.includes(imports)) return whole;
        if (other !== undefined) link(imports, other, [...from, name]);
        const url = resolveFileUrl(fromRoot(value), `assets/${name}:${line}`, {
          ...files,
          assets: new Map([...files.assets, ...done]),
        });
        return whole.replace(quoted, () => `${quote}${url}${quote}`);
      },
    );
    const asset = fingerprint(name, linked === text ? content : linked);
    done.set(name, asset);
    return asset;
  };
  for (const [name, content] of sheets) link(name, content, []);
  return [...done.values()];
}

/** `../x` of a sheet in `assets/` is a file at the root of the site. */
function fromRoot(value: string): string {
  return value.startsWith('../') ? value.slice(2) : value;
}
