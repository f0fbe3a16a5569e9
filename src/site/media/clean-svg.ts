import { orNull } from '../../core/errors.ts';
import { escapeHtml } from '../../core/html.ts';

const elements = new Set(
  'svg g path rect circle ellipse line polyline polygon text tspan textPath defs symbol use switch image style title desc linearGradient radialGradient stop clipPath mask pattern marker view filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence'.split(
    ' ',
  ),
);

const token =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^[\]>]*(?:\[[^\]]*\]\s*)?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const attribute = /([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const embedded = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\s]*$/;

/** Levels of elements; deeper files are refused. */
const maxDepth = 256;

/**
 * Writes an SVG image again without scripts, event handlers, animations, embedded HTML and references to other files. `null` if it is not
 * a well-formed SVG in UTF-8, or has entities of its own.
 */
export function cleanSvg(bytes: Uint8Array): Uint8Array | null {
  const source = orNull(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (source === null) return null;
  const open: string[] = [];
  /** Depth of the outermost removed element; 0: none. */
  let removedAt = 0;
  let isDone = false;
  let result = '';
  token.lastIndex = 0;
  while (token.lastIndex < source.length) {
    const match = token.exec(source);
    if (match === null) return null;
    const [, data, slash, name, attributes = '', closed, text] = match;
    const written = data === undefined ? decode(text ?? '') : data;
    if (name === undefined) {
      if (written === null) return null;
      if (open.length === 0 && written.trim() !== '') return null;
      if (removedAt === 0 && open.length > 0)
        result += escapeHtml(open.at(-1) === 'style' ? cleanStyle(written) : written);
      continue;
    }
    if (slash === '/') {
      if (open.pop() !== name) return null;
      if (removedAt === 0) result += `</${name}>`;
      if (open.length < removedAt) removedAt = 0;
      isDone = open.length === 0;
      continue;
    }
    if (isDone || open.length >= maxDepth || (open.length === 0 && name !== 'svg')) return null;
    const isKept = removedAt === 0 && elements.has(name);
    const kept = isKept ? cleanAttributes(attributes) : '';
    if (kept === null) return null;
    if (isKept) result += `<${name}${kept}${closed}>`;
    if (closed === '/') {
      isDone = open.length === 0;
      continue;
    }
    open.push(name);
    if (!isKept && removedAt === 0) removedAt = open.length;
  }
  return isDone ? new TextEncoder().encode(result) : null;
}

function cleanAttributes(written: string): string | null {
  let result = '';
  for (const [, name = '', double, single] of written.matchAll(attribute)) {
    const value = decode(double ?? single ?? '');
    if (value === null) return null;
    if (isAllowed(name, value)) result += ` ${name}="${escapeHtml(value)}"`;
  }
  return result;
}

function isAllowed(name: string, value: string): boolean {
  if (name === 'xmlns') return value === 'http://www.w3.org/2000/svg';
  if (name === 'xmlns:xlink') return value === 'http://www.w3.org/1999/xlink';
  if (name === 'href' || name === 'xlink:href') return value.startsWith('#') || embedded.test(value.trim());
  if (name === 'xml:space') return true;
  return /^(?!on)[A-Za-z][\w-]*$/i.test(name) && cleanStyle(value) === value;
}

/** Removes what loads other files from CSS; an escape could hide such a function. */
function cleanStyle(css: string): string {
  if (/\\/.test(css)) return '';
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/@import[^;]*;?/gi, '')
    .replace(/(?:url|image|image-set|src|expression)\(\s*(?!\s*["']?#)[^)]*\)?|javascript:/gi, 'none');
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text with its character references decoded; `null` if it has another entity. */
function decode(text: string): string | null {
  let isKnown = true;
  const decoded = text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));|&/gi, (_all, decimal, hex, name) => {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    const known = name === undefined ? codePoint(code) : entities[name];
    if (known === undefined) isKnown = false;
    return known ?? '';
  });
  return isKnown ? decoded : null;
}

/** A character that XML allows. */
function codePoint(code: number): string | undefined {
  const isAllowed =
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 32 && code < 0xd800) ||
    (code > 0xdfff && code < 0xfffe);
  return isAllowed || (code > 0xffff && code <= 0x10ffff) ? String.fromCodePoint(code) : undefined;
}
