import type { HostFiles, RedirectTable } from '../redirect-table.ts';

/**
 * `redirects.json` for every host without a format of its own: a JSON array with one redirect per line, `from` decoded and without trailing
 * slash. No URL is listed twice, and every target is a page that is public.
 */
export function writeRedirectsJson(table: RedirectTable): HostFiles {
  return { files: [{ path: 'redirects.json', content: content(table) }], limits: () => [] };
}

function* content(table: RedirectTable): Generator<string> {
  let separator = '[\n';
  for (const { from, to, isPermanent } of table.rules) {
    yield separator + JSON.stringify({ from, to, status: isPermanent ? 301 : 302 });
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
