import { encodePath, type HostFiles, type RedirectTable } from '../redirect-table.ts';

/** Cloudflare keeps the first 2,000 rules without wildcard and drops longer lines (its documentation of `_redirects`). */
const cloudflareLimits = { rules: 2000, lineCharacters: 1000 } as const;

/**
 * `_redirects` for Netlify and Cloudflare Pages. Netlify answers with a file that exists before it looks here, and takes
 * addresses with and without slash at the end for the same. Cloudflare looks here first, which is harmless, since no
 * rule hides a page, and compares to the letter. Neither knows "gone".
 */
export function writeRedirectsFile({ rules }: RedirectTable, isCloudflare: boolean): HostFiles {
  const lines = rules.flatMap(({ from, to, isPermanent, origin }) => {
    if (to === null) return [];
    // Pages end in a slash; the old help centre's addresses do not.
    const needsSlash = isCloudflare && origin !== 'old-address' && !/\.\w+$/.test(from);
    return [from, ...(needsSlash ? [`${from}/`] : [])].map(
      (address) => `${encodePath(address)} ${to} ${isPermanent ? 301 : 302}`,
    );
  });
  return {
    files: [{ path: '_redirects', content: lines.map((text) => `${text}\n`).join('') }],
    limits: isCloudflare ? exceededLimits(lines) : [],
  };
}

function exceededLimits(lines: readonly string[]): string[] {
  const { rules, lineCharacters } = cloudflareLimits;
  const long = lines.filter((text) => text.length > lineCharacters);
  return [
    ...(lines.length > rules
      ? [`Cloudflare Pages reads ${rules} redirects and drops the other ${lines.length - rules}`]
      : []),
    ...(long.length > 0
      ? [`Cloudflare Pages drops ${long.length} redirects of more than ${lineCharacters} characters`]
      : []),
  ];
}
