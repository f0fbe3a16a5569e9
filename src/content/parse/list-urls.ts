import { following } from './edit-tree.ts';
import { parseBody } from './parse-body.ts';
import { attribute, htmlNamespace, type SourceNode } from './source-tree.ts';

/** The distinct URLs in a body as the author wrote them, with character references decoded. */
interface BodyUrls {
  /** URLs of everything that the content stage may publish as an image. */
  readonly images: ReadonlySet<string>;
  /** URLs of everything that it may publish as a link or media file. */
  readonly links: ReadonlySet<string>;
}

/**
 * Attributes that may contain the URL of an image, the real one of a lazy image first: on the hosted help centre, a script copied it to
 * `src`, which has a placeholder, when the reader scrolled to the image.
 */
export const imageUrlAttributes = ['data-src', 'data-original', 'data-lazy-src', 'src'] as const;

/** Attributes that may contain a list of such URLs. */
export const imageSetAttributes = ['data-srcset', 'data-lazy-srcset', 'srcset'] as const;

/** Attributes that may contain the URL of an embedded page, also of one that waits for a consent (Cookiebot, iubenda) or a script (Tally). */
export const iframeAttributes = [
  'data-src',
  'data-lazy-src',
  'data-cookieblock-src',
  'data-suppressedsrc',
  'data-tally-src',
  'src',
] as const;

/** The URLs that an image may have, the best one first. A `data:` URL is a placeholder if there is another one. */
export function imageUrls(node: SourceNode): readonly string[] {
  const named = [
    ...imageUrlAttributes.map((name) => [name, attribute(node, name) ?? ''] as const),
    ...imageSetAttributes.map((name) => [name, firstCandidate(attribute(node, name) ?? '') ?? ''] as const),
  ];
  const real = named.filter(([name, url]) => isAddress(name, url) && !/^\s*data:/i.test(url));
  return [...real, ...named].map(([, url]) => url).filter((url) => url !== '');
}

/** The URL of an embedded page, or `''`. */
export function iframeUrl(node: SourceNode): string {
  const named = iframeAttributes.map((name) => [name, attribute(node, name) ?? ''] as const);
  return named.find(([name, url]) => url !== '' && isAddress(name, url))?.[1] ?? '';
}

/** Whether an attribute has an address, and no switch or pattern of a script, as those for lazy images may. */
function isAddress(name: string, value: string): boolean {
  return name === 'src' || (/[./]/.test(value) && !/[{}]/.test(value));
}

/** First URL of a `srcset`, or `null`. */
function firstCandidate(srcset: string): string | null {
  return /^[\s,]*(\S+)/.exec(srcset)?.[1]?.replace(/,+$/, '') ?? null;
}

/** The images that an element has for browsers without scripts, which the parser takes for text. */
export function imagesWithoutScript(noscript: SourceNode): readonly SourceNode[] {
  const html = noscript.first?.text ?? '';
  if (!/<img[\s/]/i.test(html)) return [];
  const images: SourceNode[] = [];
  const root = parseBody(html);
  for (let node = root.first; node !== null; node = following(node, root))
    if (node.name === 'img') images.push(node);
  return images;
}

/** Attributes that contain URLs, by element. */
const urlAttributes: ReadonlyMap<string, Readonly<Record<string, keyof BodyUrls>>> = new Map(
  Object.entries({
    img: { ...all(imageUrlAttributes, 'images'), ...all(imageSetAttributes, 'images') },
    a: { href: 'links' },
    iframe: all(iframeAttributes, 'links'),
    video: { src: 'links', poster: 'images' },
    audio: { src: 'links' },
    source: { src: 'links' },
    // What rules for editors make images or links of.
    'ri:url': { 'ri:value': 'images' },
    oembed: { url: 'links' },
  } as const),
);

/** Lists the URLs for which {@link transform} may call its resolvers, before the resolvers can answer: too many, but never too few. */
export function listUrls(body: string): BodyUrls {
  const found = { images: new Set<string>(), links: new Set<string>() };
  const addUrls = (node: SourceNode): void => {
    const kinds = node.namespace === htmlNamespace ? urlAttributes.get(node.name) : undefined;
    for (const { name, value } of kinds === undefined ? [] : node.attributes) {
      const kind = kinds !== undefined && Object.hasOwn(kinds, name) ? kinds[name] : undefined;
      const address = name.endsWith('srcset') ? firstCandidate(value) : value;
      if (kind !== undefined && address !== null && address !== '') found[kind].add(address);
    }
  };
  const root = parseBody(body);
  for (let node = root.first; node !== null; node = following(node, root)) {
    if (node.name === 'noscript') imagesWithoutScript(node).forEach(addUrls);
    else addUrls(node);
  }
  return found;
}

function all<Name extends string>(
  names: readonly Name[],
  kind: keyof BodyUrls,
): Record<Name, keyof BodyUrls> {
  return Object.fromEntries(names.map((name) => [name, kind])) as Record<Name, keyof BodyUrls>;
}
