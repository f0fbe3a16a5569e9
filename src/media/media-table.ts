import { hash } from 'node:crypto';
import type { Document, LinkResolution, PublishedImage } from '../content/document.ts';
import { absoluteAddress } from '../content/policy/url-policy.ts';
import { folderPath } from '../foundation/folder-address.ts';

/** What an image or file of a body became. */
export type PublishedMedia =
  | {
      readonly kind: 'image';
      /** Root-relative, for pages. */
      readonly href: string;
      /** Absolute where the site's address is known, for Markdown. */
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    }
  | { readonly kind: 'file'; readonly href: string; readonly url: string }
  /** A `data:` address that holds no image. */
  | { readonly kind: 'refused' };

/** What is re-hosted of one article, by {@link mediaKey}. Plain data: it may cross a thread. */
export type MediaTable = ReadonlyMap<string, PublishedMedia>;

/** Short name of an absolute address: without fragment, and of a `data:` address the hash. */
export function mediaKey(address: string): string {
  return address.startsWith('data:') ? `data:${hash('sha256', address)}` : address.replace(/#.*$/s, '');
}

/** Addresses, in the published page, of everything in it that may be a copy; once each. */
export function mediaAddresses({ images, links, files }: Document): readonly string[] {
  const linked = links.filter(({ articleId, kind }) => articleId === null && kind !== 'anchor');
  return [...new Set([...images.map(({ src }) => src), ...linked.map(({ href }) => href), ...files])];
}

/** The image at an absolute address as it is published: re-hosted or where it was; `null` for broken `data:`. */
export function resolveImage(media: MediaTable, src: string): PublishedImage | null {
  const found = media.get(mediaKey(src));
  if (found?.kind === 'refused') return null;
  if (found?.kind !== 'image') return folderPath(src) === null ? { src, width: null, height: null } : null;
  const { href, url, width, height } = found;
  return { src: href, url, width, height };
}

/** The re-hosted file a link leads to; `null` when there is none. */
export function resolveFile(media: MediaTable, href: string, baseUrl: string | null): LinkResolution | null {
  const address = media.size === 0 && folderPath(href) === null ? null : absoluteAddress(href, baseUrl);
  const found = address === null ? undefined : media.get(mediaKey(address));
  if (address !== null && found === undefined && folderPath(address) !== null) {
    const message = `the file ${JSON.stringify(folderPath(address))} is of no kind that is published (media.attachments)`;
    return { kind: 'unlinked', problem: 'LINK_BROKEN', message };
  }
  if (address === null || found === undefined || found.kind === 'refused') return null;
  const fragment = /#.*$/s.exec(address)?.[0] ?? '';
  return {
    kind: 'internal',
    href: found.href + fragment,
    url: found.url + fragment,
    articleId: null,
    categoryId: null,
    hreflang: null,
  };
}
