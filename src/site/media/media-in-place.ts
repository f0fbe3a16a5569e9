import { absoluteAddress, classifyLink, resolveResource } from '../../content/policy/url-policy.ts';
import { folderOrigin, folderPath } from '../../core/addresses.ts';
import type { SiteRoot } from '../plan/page-url.ts';
import type { Media } from './media.ts';
import { mediaKey, type PublishedMedia } from './media-table.ts';

/**
 * Links to images and files where they are, in a site that exists already: copies nothing. Images that are in a page itself (`data:` URLs)
 * have no URL, so the feed has only their alternative text.
 */
export function createMediaInPlace(root: SiteRoot): Media {
  const prepare: Media['prepare'] = async (bodies) => {
    const table = new Map<string, PublishedMedia>();
    const add = (address: string): void => {
      const found = address.startsWith('data:') ? withoutUrl : locate(address, root);
      if (found !== null) table.set(mediaKey(address), found);
    };
    for (const body of bodies) {
      if (!body.includes(folderOrigin) && !body.includes('data:')) continue;
      // Loaded only if needed, because it loads the parser of HTML.
      const { listUrls } = await import('../../content/parse/list-urls.ts');
      const { images, links } = listUrls(body);
      for (const raw of images) {
        const address = resolveResource(raw, null, true);
        if (address !== null) add(address);
      }
      for (const raw of links) {
        const link = classifyLink(raw);
        const address = link.kind === 'web' ? absoluteAddress(link.href, null) : null;
        if (address !== null) add(address);
      }
    }
    return table.size === 0 ? null : { table, request: { images: [], files: [] } };
  };
  return {
    prepare,
    repeat: async () => new Map(),
    publish: async () => ({ files: [], failed: [] }),
    reuse: async () => true,
    notePages: () => {},
    reportFailed: () => {},
    isUnchanged: async () => true,
    finish: async () => ({ problems: [], hasDownloads: false }),
  };
}

const withoutUrl: PublishedMedia = { kind: 'refused', why: 'it is a part of the page and has no URL' };

/** The URL of a file of the site, with its query; `null` for every other URL. */
function locate(address: string, { basePath, siteUrl }: SiteRoot): PublishedMedia | null {
  const path = folderPath(address);
  if (path === null) return null;
  const { pathname, search } = new URL(address);
  return {
    kind: 'image',
    href: basePath + pathname + search,
    url: (siteUrl ?? basePath) + pathname + search,
    width: null,
    height: null,
  };
}
