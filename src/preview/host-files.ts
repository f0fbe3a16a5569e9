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

/** Where a path leads now. */
export interface Redirect {
  /** Percent-encoded as in the file. */
  readonly location: string;
  readonly status: number;
}

export type RedirectFor = (path: string) => Redirect | null;

interface RedirectRule {
  readonly pattern: RegExp;
  /** Names of the parts the pattern captures. */
  readonly names: readonly string[];
  readonly to: string;
  readonly status: number;
}

/**
 * Reads a `_redirects` file (the format of Netlify and Cloudflare Pages): from, to and status per line, `:name` for one
 * segment, `*` for the rest (`:splat` in the target). The first rule that fits wins.
 */
export function parseRedirectsFile(text: string): RedirectFor {
  const rules = text.split('\n').flatMap(parseRule);
  return (path) => {
    for (const { pattern, names, to, status } of rules) {
      const parts = pattern.exec(path)?.slice(1);
      if (parts === undefined) continue;
      const values = new Map(names.map((name, index) => [name, parts[index] ?? '']));
      const location = to.replace(/:(\w+)/g, (whole, name: string) => values.get(name) ?? whole);
      return { location, status };
    }
    return null;
  };
}

function parseRule(line: string): RedirectRule[] {
  const [from, to, code = '301'] = line
    .replace(/(?:^|\s)#.*$/, '')
    .trim()
    .split(/\s+/);
  const status = Number.parseInt(code, 10);
  if (!from || !to || !(status >= 300 && status < 400)) return [];
  const names: string[] = [];
  const source = decodePath(from).replace(
    /\/:(\w+)|\*|[.+?^${}()|[\]\\]/g,
    (sign, name: string | undefined) => {
      if (name === undefined && sign !== '*') return `\\${sign}`;
      names.push(name ?? 'splat');
      return name === undefined ? '(.*)' : '/([^/]+)';
    },
  );
  return [{ pattern: new RegExp(`^${source.replace(/\/$/, '')}/?$`), names, to, status }];
}

function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
