/** One rule of a `_headers` file (the format of Netlify and Cloudflare Pages). */
interface HeaderRule {
  readonly pattern: RegExp;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Gives the headers of every rule that matches a path; a later rule wins. */
export type HeadersFor = (path: string) => ReadonlyMap<string, string>;

/** Reads a `_headers` file: a path pattern per unindented line (`*` matches anything), its headers indented below. */
export function parseHeadersFile(text: string): HeadersFor {
  const rules: { pattern: RegExp; headers: [string, string][] }[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (/^\S/.test(line)) rules.push({ pattern: toPattern(line.trim()), headers: [] });
    else {
      const [, name, value] = /^\s+([^:]+):\s*(.*)$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) rules.at(-1)?.headers.push([name.toLowerCase(), value]);
    }
  }
  return (path) => collect(rules, path);
}

function collect(rules: readonly HeaderRule[], path: string): ReadonlyMap<string, string> {
  return new Map(rules.filter(({ pattern }) => pattern.test(path)).flatMap(({ headers }) => headers));
}

function toPattern(path: string): RegExp {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`);
}
