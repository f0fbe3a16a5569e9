import { decodePercent, parseUrl, siteHost } from '../../foundation/addresses.ts';
import { inParallel } from '../../foundation/concurrency.ts';
import type { PublishedSite } from '../feed-reader.ts';
import type { Manifest } from '../manifest.ts';
import type { OwnLinks, ReportFinding } from './findings.ts';

/**
 * Finds the links to the site that lead to no file of it and that it does not redirect. Authors write such links, and a proxy may serve
 * something else below the site's URL, so they are no errors of the feed.
 */
export async function findDeadLinks(
  links: OwnLinks,
  { site: { url } }: Manifest,
  { site, most }: { readonly site: Pick<PublishedSite, 'read' | 'exists'>; readonly most: number },
  warn: ReportFinding,
): Promise<void> {
  const own = [...links].flatMap(([link, from]) => {
    const path = pathOnSite(link, url);
    return path === null ? [] : [{ link, from, path }];
  });
  if (own.length === 0) return;
  const redirects = new TextDecoder().decode((await site.read('_redirects')) ?? Buffer.of());
  const redirected = new Set(
    redirects.split('\n').map((line) => decodePercent(line.split(' ', 1)[0] ?? '').replace(/\/$/, '')),
  );
  const dead = new Set<string>();
  await inParallel(own.slice(0, most), concurrency, async ({ link, path }) => {
    if (redirected.has(decodePercent(new URL(link).pathname).replace(/\/$/, ''))) return;
    const forms = path === '' || path.endsWith('/') ? [path] : [path, `${path}/`, `${path}.html`];
    for (const form of forms) if (await site.exists(form)) return;
    dead.add(link);
  });
  for (const { link, from } of own) {
    if (!dead.has(link)) continue;
    warn('LINK_BROKEN', from.path, `${from.id} links to ${link}, which is no page or file of the site`);
  }
}

/** Requests at the same time. */
const concurrency = 8;

/** Path of a URL in any spelling of the site's URL, decoded and relative to it; `null` for a URL elsewhere. */
export function pathOnSite(address: string, siteUrl: string): string | null {
  const site = parseUrl(siteUrl);
  const url = parseUrl(address);
  if (site === null || url === null) return null;
  const root = site.pathname.replace(/\/?$/, '/');
  return siteHost(url) === siteHost(site) && `${url.pathname}/`.startsWith(root)
    ? decodePercent(url.pathname.slice(root.length))
    : null;
}

/** Path of a URL of the site, relative to it; `null` for a URL elsewhere or with invalid encoding. */
export function sitePath(address: string, siteUrl: string): string | null {
  if (!address.startsWith(siteUrl)) return null;
  try {
    return decodeURI(address.slice(siteUrl.length));
  } catch {
    return null;
  }
}
