import { listUrls } from '../content/parse/list-urls.ts';
import { absoluteAddress, classifyLink, resolveResource } from '../content/policy/url-policy.ts';
import { listsHost } from '../foundation/host-list.ts';

/** Which files are copied. */
export interface MediaRules {
  /** What relative addresses are resolved against: the content stage's base. */
  readonly baseUrl: string | null;
  /** Hosts (see `listsHost`) files are taken from. */
  readonly hosts: ReadonlySet<string>;
  /** Extensions of linked files, without dot. */
  readonly attachments: ReadonlySet<string>;
}

/** Addresses of images and files as the content stage spells them: absolute, or the `data:` address of an image. */
export interface MediaRequest {
  readonly images: readonly string[];
  readonly files: readonly string[];
}

/** Links often lead to the image in its full size. */
const picture = /\.(?:png|jpe?g|gif|webp|avif)$/i;

/** Lists what the pages of these bodies may show and link to and what the rules allow to copy. */
export function requestMedia(bodies: Iterable<string>, rules: MediaRules): MediaRequest {
  const images = new Set<string>();
  const files = new Set<string>();
  for (const body of bodies) {
    const written = listUrls(body);
    for (const raw of written.images) {
      const address = resolveResource(raw, rules.baseUrl, true);
      if (address !== null && (address.startsWith('data:') || isFromHost(address, rules)))
        images.add(address);
    }
    for (const raw of written.links) {
      const judged = classifyLink(raw);
      const address = judged.kind === 'web' ? absoluteAddress(judged.href, rules.baseUrl) : null;
      if (address === null || !isFromHost(address, rules)) continue;
      const { pathname } = new URL(address);
      const extension = /\.(\w{1,8})$/.exec(pathname)?.[1]?.toLowerCase() ?? '';
      if (picture.test(pathname)) images.add(address);
      else if (rules.attachments.has(extension)) files.add(address);
    }
  }
  return { images: [...images], files: [...files] };
}

function isFromHost(address: string, { hosts }: MediaRules): boolean {
  return hosts.size > 0 && URL.canParse(address) && listsHost(hosts, new URL(address));
}
