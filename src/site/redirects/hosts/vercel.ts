import { decodePercent } from '../../../core/addresses.ts';
import type { HeaderRule } from '../../pages/headers-file.ts';
import { encodePath, encodeSign, type HostFiles, type RedirectTable } from '../redirect-table.ts';

/** Maximum number of redirects and header rules in `vercel.json` (Vercel's documentation of project configuration). */
const maxRoutes = 2048;

/**
 * `vercel.json`. Vercel applies redirects before it looks for files, and does not support status 410. It rejects more rules than its limit,
 * so the rest is omitted.
 */
export function writeVercel(table: RedirectTable, headers: readonly HeaderRule[]): HostFiles {
  const headerRules = headers.map(([pattern, values]) => ({
    source: pattern.replace(/[.]/g, '\\.').replaceAll('*', '(.*)'),
    headers: Object.entries(values).map(([key, value]) => ({ key, value })),
  }));
  const room = maxRoutes - headerRules.length;
  const refused = table.rules.filter(({ to }) => hasPatternInQuery(to));
  const rules = refused.length === 0 ? table.rules : table.rules.filter(({ to }) => !hasPatternInQuery(to));
  const redirects = rules.slice(0, room).map(({ from, to, isPermanent }) => ({
    source: `${encodePath(from)}{/}?`,
    destination: encodePattern(to),
    statusCode: isPermanent ? 301 : 302,
  }));
  const excess = rules.length - room;
  const content = `${JSON.stringify({ redirects, headers: headerRules }, null, 2)}\n`;
  return {
    files: [{ path: 'vercel.json', content }],
    limits: [
      ...(excess > 0
        ? [`Vercel takes ${maxRoutes} routes in vercel.json; ${excess} redirects were skipped`]
        : []),
      ...(refused.length > 0
        ? [
            `Vercel refuses ":" and "(" in the query of a target; the redirects from ${refused.map(({ from }) => from).join(', ')} were skipped`,
          ]
        : []),
    ],
  };
}

/** Encodes what Vercel reads as a pattern in the path of a target, `:name` and `(…)`: it refuses a target with a pattern that the source lacks. */
function encodePattern(to: string): string {
  const [, origin = '', path = '', rest = ''] = /^(https?:\/\/[^/?#]*)?([^?#]*)(.*)$/s.exec(to) ?? [];
  return origin + path.replace(/[:()]/g, encodeSign) + rest;
}

/** Whether Vercel reads a value of the query of a target as a pattern. It decodes the values first, so that encoding them would not help. */
function hasPatternInQuery(to: string): boolean {
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(to) ?? [];
  return /:\w|\(/.test(decodePercent(query));
}
