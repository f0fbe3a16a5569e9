import { encodePath, type HostFiles, type RedirectRule, type RedirectTable } from '../redirect-table.ts';

/** Cloudflare uses the first 2,000 rules without wildcard and drops longer lines (its documentation of `_redirects`). */
const cloudflareLimits = { rules: 2000, lineCharacters: 1000 } as const;

/**
 * `_redirects` for Netlify and Cloudflare Pages. Netlify serves existing files first, and ignores a slash at the end of a URL. Cloudflare
 * applies redirects first, which is harmless because no rule hides a page, and compares URLs exactly.
 */
export function writeRedirectsFile(table: RedirectTable, isCloudflare: boolean): HostFiles {
  let count = 0;
  let long = 0;
  const linesOf = ({ from, to, isPermanent, origin }: RedirectRule): readonly string[] => {
    // Pages end in a slash; legacy URLs do not.
    const needsSlash = isCloudflare && !origin.endsWith('-url') && !/\.\w+$/.test(from);
    return [from, ...(needsSlash ? [`${from}/`] : [])].map(
      (address) => `${encodePath(address)} ${to} ${isPermanent ? 301 : 302}`,
    );
  };
  function* content(): Generator<string> {
    for (const rule of table.rules) {
      for (const line of linesOf(rule)) {
        count += 1;
        if (line.length > cloudflareLimits.lineCharacters) long += 1;
        yield `${line}\n`;
      }
    }
    // Last, because a rule for all paths would hide the others.
    if (table.appended !== '') yield table.appended;
  }
  return {
    files: [{ path: '_redirects', content: content() }],
    limits: () => (isCloudflare ? exceededLimits(count, long) : []),
  };
}

/** @param count number of lines @param long number of lines that are too long */
function exceededLimits(count: number, long: number): string[] {
  const { rules, lineCharacters } = cloudflareLimits;
  return [
    ...(count > rules
      ? [`Cloudflare Pages reads ${rules} redirects and drops the other ${count - rules}`]
      : []),
    ...(long > 0
      ? [`Cloudflare Pages drops ${long} redirects of more than ${lineCharacters} characters`]
      : []),
  ];
}
