import { hash } from 'node:crypto';
import type { Document, LinkResolution, PublishedImage, RefusedImage } from '../../content/document.ts';
import { absoluteAddress, classifyLink, resolveResource } from '../../content/policy/url-policy.ts';
import { folderPath, listsHost, parseUrl } from '../../core/addresses.ts';

/** A published image or file of a body. */
export type PublishedMedia =
  | {
      readonly kind: 'image';
      /** Root-relative, for pages. */
      readonly href: string;
      /** Absolute if the site URL is known; for Markdown. */
      readonly url: string;
      readonly width: number | null;
      readonly height: number | null;
    }
  | { readonly kind: 'file'; readonly href: string; readonly url: string }
  /** A `data:` URL without a valid image, or a file of the source's folder that cannot be copied. */
  | { readonly kind: 'refused'; readonly why: string };

/** Copied media of one article, by {@link mediaKey}. Plain data, because it may be passed to a thread. */
export type MediaTable = ReadonlyMap<string, PublishedMedia>;

/** Short key of an absolute URL: without fragment; for a `data:` URL, the hash. */
export function mediaKey(address: string): string {
  return address.startsWith('data:') ? `data:${hash('sha256', address)}` : address.replace(/#.*$/s, '');
}

/** Distinct URLs in the published page that may point to copies. */
export function mediaAddresses({ images, links, files }: Document): readonly string[] {
  const linked = links.filter(({ articleId, kind }) => articleId === null && kind !== 'anchor');
  return [...new Set([...images.map(({ src }) => src), ...linked.map(({ href }) => href), ...files])];
}

/** The published image for an absolute URL: a copy, or the original. Invalid `data:` URLs are refused. */
export function resolveImage(media: MediaTable, src: string): PublishedImage | RefusedImage {
  const found = media.get(mediaKey(src));
  const name = folderPath(src);
  if (found?.kind === 'refused') return { name, why: found.why };
  if (found?.kind !== 'image')
    return name === null ? { src, width: null, height: null } : { name, why: null };
  const { href, url, width, height } = found;
  return { src: href, url, width, height };
}

/** The copied file that a link leads to; `null` if there is none. */
export function resolveFile(media: MediaTable, href: string, baseUrl: string | null): LinkResolution | null {
  const address = media.size === 0 && folderPath(href) === null ? null : absoluteAddress(href, baseUrl);
  const found = address === null ? undefined : media.get(mediaKey(address));
  const name = address === null ? null : folderPath(address);
  if (name !== null && (found === undefined || found.kind === 'refused')) {
    const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
    const why =
      found !== undefined
        ? `cannot be published: ${found.why}`
        : `has a type that is not published${extension === undefined ? '' : `; to publish it, add "${extension}" to media.attachments`}`;
    const message = `the file ${JSON.stringify(name)} ${why}`;
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

/** Which files are copied. */
export interface MediaRules {
  /** Base of relative URLs, as in the content stage. */
  readonly baseUrl: string | null;
  /** Hosts (see `listsHost`) that files are copied from. */
  readonly hosts: ReadonlySet<string>;
  /** Extensions of linked files, without dot. */
  readonly attachments: ReadonlySet<string>;
}

/** URLs of images and files as the content stage writes them: absolute, or the `data:` URL of an image. */
export interface MediaRequest {
  readonly images: readonly string[];
  readonly files: readonly string[];
}

/** Extensions of images. Links often lead to an image in full size. */
const pictures: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif']);

/** Lists what the pages of these bodies may show and link to, if the rules allow copying it. */
export async function requestMedia(bodies: Iterable<string>, rules: MediaRules): Promise<MediaRequest> {
  const images = new Set<string>();
  const files = new Set<string>();
  const fileName = fileNamePattern(rules);
  for (const body of bodies) {
    if (!imageTag.test(body) && !fileName.test(body) && !hiddenName.test(body)) continue;
    // Loaded only if needed, because it loads the parser of HTML.
    const { listUrls } = await import('../../content/parse/list-urls.ts');
    const written = listUrls(body);
    for (const raw of written.images) {
      const address = resolveResource(raw, rules.baseUrl, true);
      if (address !== null && (address.startsWith('data:') || isFromHost(address, rules)))
        images.add(address);
    }
    for (const raw of written.links) {
      const link = classifyLink(raw);
      if (link.kind !== 'web' || !fileName.test(link.href)) continue;
      const address = absoluteAddress(link.href, rules.baseUrl);
      if (address === null || !isFromHost(address, rules)) continue;
      const extension = /\.(\w{1,8})$/.exec(new URL(address).pathname)?.[1]?.toLowerCase() ?? '';
      if (pictures.has(extension)) images.add(address);
      else if (rules.attachments.has(extension)) files.add(address);
    }
  }
  return { images: [...images], files: [...files] };
}

// Most bodies show no image and link to no file. Three searches in the text find that out much faster than parsing the body.

/** Elements whose attributes may contain images (`listUrls`). */
const imageTag = /<(?:img|image|video|ri:url)\b/i;

/** Matches every URL of a file that may be linked, and the body around it. Browsers ignore tabs and line ends in URLs. */
function fileNamePattern({ attachments }: MediaRules): RegExp {
  const extensions = [...pictures, ...attachments].map((extension) => [...extension].join('[\\t\\n\\r]*'));
  return new RegExp(`\\.[\\t\\n\\r]*(?:${extensions.join('|')})`, 'i');
}

/** Character references that may be part of an extension. */
const hiddenName = /&(?:#|period;|fjlig;|Tab;|NewLine;)/;

function isFromHost(address: string, { hosts }: MediaRules): boolean {
  const url = hosts.size > 0 ? parseUrl(address) : null;
  return url !== null && listsHost(hosts, url);
}
