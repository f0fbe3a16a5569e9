import { absoluteAddress, judgeLink, judgeResource } from '../content/url-policy.ts';

/** Which addresses are worth a copy. */
export interface AddressRules {
  /** What relative addresses are resolved against: the content stage's base. */
  readonly baseUrl: string;
  /** Hosts (`name` or `name:port`) files are taken from. */
  readonly hosts: ReadonlySet<string>;
  /** Extensions of linked files, without dot. */
  readonly attachments: ReadonlySet<string>;
}

export interface FoundAddresses {
  readonly images: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

const attribute =
  /\b(src|data-src|data-original|data-lazy-src|srcset|poster|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi;

/** Links often lead to the image in its full size, and players play files. */
const picture = /\.(?:png|jpe?g|gif|webp|avif)(?:[?#]|$)/i;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  '#38': '&',
  '#x26': '&',
  quot: '"',
  apos: "'",
  '#39': "'",
};

/**
 * Finds what a body may show or link to, without parsing it: too much rather than too little, since only what the
 * published page really uses is kept. Addresses are spelled as the content stage spells them.
 */
export function findAddresses(html: string, rules: AddressRules): FoundAddresses {
  const images = new Set<string>();
  const files = new Set<string>();
  for (const [, name = '', double, single, bare] of html.matchAll(attribute)) {
    const raw = decode(double ?? single ?? bare ?? '');
    const kind = name.toLowerCase();
    const file = kind === 'srcset' || raw.startsWith('data:') ? null : fileAddress(raw, rules);
    const image = kind === 'href' || file !== null ? null : imageAddress(raw, kind, rules);
    if (file !== null) (picture.test(file) ? images : files).add(file);
    if (image !== null) images.add(image);
  }
  return { images, files };
}

function imageAddress(raw: string, name: string, { baseUrl, hosts }: AddressRules): string | null {
  const first = name === 'srcset' ? (/^[\s,]*(\S+)/.exec(raw)?.[1]?.replace(/,+$/, '') ?? '') : raw;
  const address = judgeResource(first, baseUrl, true);
  if (address === null || address.startsWith('data:')) return address;
  return URL.canParse(address) && hosts.has(new URL(address).host) ? address : null;
}

function fileAddress(raw: string, { baseUrl, hosts, attachments }: AddressRules): string | null {
  const judged = judgeLink(raw);
  const address = judged.kind === 'web' ? absoluteAddress(judged.href, baseUrl) : null;
  if (address === null) return null;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const extension = /\.(\w{1,8})$/.exec(url.pathname)?.[1]?.toLowerCase() ?? '';
  const isWanted = attachments.has(extension) || picture.test(url.pathname);
  return isWanted && hosts.has(url.host) ? address : null;
}

function decode(value: string): string {
  return value.includes('&')
    ? value.replace(
        /&(amp|quot|apos|#38|#39|#x26);/gi,
        (whole, name: string) => entities[name.toLowerCase()] ?? whole,
      )
    : value;
}
