import type { HostFiles, RedirectTable } from '../redirect-table.ts';

/**
 * `redirects.json` for every host without a format of its own: a JSON array with one redirect per line, `from` decoded and without trailing
 * slash. No URL is listed twice, and every target is a page that is public.
 */
export function writeRedirectsJson({ rules }: RedirectTable): HostFiles {
  const lines = rules.map(({ from, to, isPermanent }) =>
    JSON.stringify({ from, to, status: isPermanent ? 301 : 302 }),
  );
  const content = lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`;
  return { files: [{ path: 'redirects.json', content }], limits: [] };
}
