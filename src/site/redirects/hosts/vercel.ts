import type { HeaderRule } from '../../pages/headers-file.ts';
import { encodePath, type HostFiles, type RedirectTable } from '../redirect-table.ts';

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
  const redirects = table.rules.slice(0, room).map(({ from, to, isPermanent }) => ({
    source: `${encodePath(from)}{/}?`,
    destination: to,
    statusCode: isPermanent ? 301 : 302,
  }));
  const excess = table.rules.length - room;
  const content = `${JSON.stringify({ redirects, headers: headerRules }, null, 2)}\n`;
  return {
    files: [{ path: 'vercel.json', content }],
    limits:
      excess > 0 ? [`Vercel takes ${maxRoutes} routes in vercel.json; ${excess} redirects were skipped`] : [],
  };
}
