import { formatHeader, type HeaderRule } from '../../pages/headers-file.ts';
import { encodePath, type HostFiles, type RedirectTable } from '../redirect-table.ts';

/** Cloudflare uses the first 2,000 rules without wildcard and drops longer lines (its documentation of `_redirects` and `_headers`). */
const cloudflareLimits = { rules: 2000, lineCharacters: 1000, headerCharacters: 2000 } as const;

/**
 * `_redirects` for Netlify and Cloudflare Pages. Netlify serves existing files first, and ignores a slash at the end of a URL. Cloudflare
 * applies redirects first, which is harmless because no rule hides a page, and compares URLs exactly.
 */
export function writeRedirectsFile(
  table: RedirectTable,
  headers: readonly HeaderRule[],
  isCloudflare: boolean,
): HostFiles {
  const { rules, lineCharacters, headerCharacters } = cloudflareLimits;
  const lines = table.rules.flatMap(({ from, to, isPermanent, origin }) => {
    // Pages end in a slash; legacy URLs do not.
    const needsSlash = isCloudflare && !origin.endsWith('-url') && !/\.\w+$/.test(from);
    return [from, ...(needsSlash ? [`${from}/`] : [])].map(
      (address) => `${encodePath(address)} ${to} ${isPermanent ? 301 : 302}`,
    );
  });
  const excess = lines.length - rules;
  const long = lines.filter(({ length }) => length > lineCharacters).length;
  const limits = [
    ...(excess > 0 ? [`Cloudflare Pages reads ${rules} redirects and drops the other ${excess}`] : []),
    ...(long > 0
      ? [`Cloudflare Pages drops ${long} redirects of more than ${lineCharacters} characters`]
      : []),
    ...headers
      .flatMap(([, values]) => Object.entries(values))
      .map(([name, value]) => ({ name, length: formatHeader(name, value).length }))
      .filter(({ length }) => length > headerCharacters)
      .map(
        ({ name, length }) =>
          `Cloudflare Pages drops the header ${name}, which has ${length} characters; it reads ${headerCharacters}`,
      ),
  ];
  // The lines of the user are last, because a rule for all paths would hide the others.
  const content = [...lines.map((line) => `${line}\n`), table.appended].join('');
  return { files: [{ path: '_redirects', content }], limits: isCloudflare ? limits : [] };
}
