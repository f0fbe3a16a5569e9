/** What an inline style means; the theme decides fonts and sizes. */
export interface StyleFacts {
  readonly classes: readonly string[];
  /** Whether all of the element is invisible to all readers. */
  readonly isHidden: boolean;
  /** Whether the text is invisible, but not images and players. `size`: except for text with a size of its own. */
  readonly hidesText: 'always' | 'size' | null;
  /** Whether the text has a size that does not depend on the elements around it. */
  readonly hasOwnSize: boolean;
  /** `null` if the style does not set it. */
  readonly isBold: boolean | null;
  readonly isItalic: boolean | null;
  readonly isStruck: boolean;
  /** Raised or lowered text. */
  readonly script: 'sup' | 'sub' | null;
  /** The first font of the list is one for code. */
  readonly isMonospaced: boolean;
  /** Underlines are not published, only counted. */
  readonly isUnderlined: boolean;
  /** Size in CSS pixels; `null` if it is not given in pixels or points. */
  readonly width: number | null;
  readonly height: number | null;
  readonly maxWidth: number | null;
  /** Text or background has a colour other than a shade of grey. */
  readonly isColoured: boolean;
  /** Whether the ends of lines in the text are shown; `null` if the style does not say it. */
  readonly keepsLines: boolean | null;
  /** The background colour in one notation; `null` for none, white or an image. */
  readonly shade: string | null;
}

const alignments = new Set(['left', 'center', 'right', 'justify']);

const listTypes = new Set([
  'none',
  'disc',
  'circle',
  'square',
  'decimal',
  'lower-alpha',
  'upper-alpha',
  'lower-roman',
  'upper-roman',
]);

/** Declarations that hide an element by themselves. */
const hiding: Readonly<Record<string, (value: string) => boolean>> = {
  display: (value) => value === 'none',
  visibility: (value) => value === 'hidden' || value === 'collapse',
  opacity: isZero,
  'text-indent': isFarOut,
  left: isFarOut,
  right: isFarOut,
  top: isFarOut,
  // Word moves tables and paragraphs by points, and authors move headings by the height of a header that covers them.
  'margin-left': (value) => isFarOut(value) && !/^-[1-4]\d\d(?:\.\d+)?pt$/.test(value),
  'margin-top': (value) => isFarOut(value) && !/^-[1-4]\d\d(?:\.\d+)?(?:px|pt)$/.test(value),
  clip: (value) => /^rect\((?:0|1px|0px)[ ,]/.test(value),
  'clip-path': (value) => /^inset\((?:50|100)%/.test(value) || value === 'circle(0)',
  transform: (value) => value === 'scale(0)',
  scale: isZero,
  'content-visibility': (value) => value === 'hidden',
  // What reviewers said to each other in a file of Word, which it writes at the end of the page.
  'mso-element': (value) => value === 'comment-list',
};

/** Declarations that hide an element together with `overflow: hidden`. So does `height`, unless the padding gives the element a height. */
const sizes = new Set(['max-height', 'width', 'max-width']);

/** Declarations of the colour of text; a browser writes `transparent` as `rgba(0, 0, 0, 0)` into what readers copy. */
const inks = new Set(['color', '-webkit-text-fill-color']);
const transparent = /^(?:transparent|rgba\((?:[^,()]+,){3}\s*0(?:\.0+)?%?\s*\))$/;

/** Declarations that paint the background, such as a gradient, in the shape of the text. So do lines around its letters. */
const clips = new Set(['background-clip', '-webkit-background-clip']);

const ownSize = /^(?:\d*\.?\d+(?:px|pt|rem)|medium|(?:x{1,2}-)?(?:small|large))$/;

/** A share of the width, by which the padding gives the box of a player its ratio. */
const share = /\d\d(?:\.\d+)?%/;

/** Comments. Their signs in a string or a URL are text. */
const comments = /("[^"]*"|'[^']*'|url\([^()"']*\))|\/\*[\s\S]*?(?:\*\/|$)/gi;

/** Declarations that cut off what has no room. Only `clip` lets it show in the other direction. */
const clipping = /^overflow(?:-[xy])?:.*\bhidden\b|^overflow:.*\bclip\b/;

const known = new Map<string, StyleFacts>();

/** Reads one `style` attribute. Bodies repeat the same few styles many times, so each spelling is read once. */
export function readStyle(style: string): StyleFacts {
  const facts = known.get(style);
  if (facts !== undefined) return facts;
  // A part of a string would keep the whole body in memory.
  const copy = ` ${style}`.slice(1);
  const read = parseStyle(copy);
  // The styles are an author's, who may make up any number of them.
  if (known.size < 1000 && copy.length < 300) known.set(copy, read);
  return read;
}

function parseStyle(style: string): StyleFacts {
  const classes: string[] = [];
  let isHidden = false;
  let isClipped = false;
  let hasNoSize = false;
  let hasNoHeight = false;
  let hasRatio = false;
  let hidesText: StyleFacts['hidesText'] = null;
  let isTransparent = false;
  let isPainted = false;
  let hasOwnSize = false;
  const emphasis = {
    isBold: null,
    isItalic: null,
    isStruck: false,
    script: null,
    isMonospaced: false,
    isUnderlined: false,
    isColoured: false,
    keepsLines: null,
    shade: null,
  };
  const size = { width: null, height: null, maxWidth: null };
  for (const declaration of style.replace(comments, '$1').split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const property = declaration.slice(0, colon).trim().toLowerCase();
    const value = cleanValue(declaration.slice(colon + 1));
    if (property === 'text-align') pushKnown(classes, alignClass(value));
    else if (property === 'width' && value.endsWith('%')) pushKnown(classes, widthClass(value));
    else if (property === 'list-style-type' || property === 'list-style') {
      // CSS has two names for these counters.
      const type = value.replace(/-latin$/, '-alpha');
      pushKnown(classes, listTypes.has(type) ? `list-${type}` : undefined);
    } else if (indents.has(property)) pushKnown(classes, indentClass(value));
    else if (Object.hasOwn(emphases, property)) Object.assign(emphasis, emphases[property]?.(value));
    if (Object.hasOwn(sizeNames, property))
      Object.assign(size, { [sizeNames[property] as string]: toPixels(value) });
    if (clipping.test(`${property}:${value}`)) isClipped = true;
    if (sizes.has(property) && isZero(value)) hasNoSize = true;
    if (property === 'height' && isZero(value)) hasNoHeight = true;
    if (property.startsWith('padding') && givesRatio(property, value)) hasRatio = true;
    if (inks.has(property) && transparent.test(value)) isTransparent = true;
    if (clips.has(property) && value === 'text') isPainted = true;
    if (
      property.startsWith('-webkit-text-stroke') &&
      value.split(' ').some((part) => Number.parseFloat(part) > 0)
    )
      isPainted = true;
    if (property === 'font-size' && isZero(value)) hidesText = 'size';
    if (property === 'font-size' && ownSize.test(value) && !isZero(value)) hasOwnSize = true;
    if (Object.hasOwn(hiding, property) && hiding[property]?.(value)) isHidden = true;
  }
  if (isTransparent && !isPainted) hidesText = 'always';
  isHidden ||= isClipped && (hasNoSize || (hasNoHeight && !hasRatio));
  return { classes, isHidden, hidesText, hasOwnSize, ...emphasis, ...size };
}

/** Whether a padding above or below makes a box without a height visible. */
function givesRatio(property: string, value: string): boolean {
  if (property !== 'padding') return /-(?:top|bottom)$/.test(property) && share.test(value);
  const [above = '', , below = above] = value.match(/calc\([^()]*\)|\S+/g) ?? [];
  return share.test(above) || share.test(below);
}

const indents = new Set(['margin-left', 'padding-left', 'margin-inline-start', 'padding-inline-start']);

/** Width of one step of an indent, and the most steps, as editors offer them. */
const indentPx = 40;
const maxIndent = 3;

/** Rounds an indent to steps that the style sheet lists; less than half a step is none. */
function indentClass(value: string): string | undefined {
  const em = /^(\d{1,2}(?:\.\d+)?)(?:em|rem)$/.exec(value)?.[1];
  const pixels = em === undefined ? toPixels(value) : Number(em) * 16;
  const steps = Math.min(maxIndent, Math.round((pixels ?? 0) / indentPx));
  return steps === 0 ? undefined : `indent-${steps}`;
}

const sizeNames: Readonly<Record<string, 'width' | 'height' | 'maxWidth'>> = {
  width: 'width',
  height: 'height',
  'max-width': 'maxWidth',
};

/** A length as whole CSS pixels; a point is 4/3 of one (CSS Values 4, 6.2). */
function toPixels(value: string): number | null {
  const [, number, unit] = /^(\d{1,5}(?:\.\d+)?)(px|pt)$/.exec(value) ?? [];
  const pixels = Math.round(Number(number) * (unit === 'pt' ? 4 / 3 : 1));
  return pixels >= 1 ? pixels : null;
}

type Emphasis = Partial<
  Omit<StyleFacts, 'classes' | 'isHidden' | 'hidesText' | 'hasOwnSize' | 'width' | 'height' | 'maxWidth'>
>;

/** Declarations that say how text looks. */
const emphases: Readonly<Record<string, (value: string) => Emphasis>> = {
  'font-weight': (value) => ({ isBold: boldness(value) }),
  'font-style': (value) => ({ isItalic: value === 'normal' ? false : isSlanted(value) || null }),
  font: (value) => ({
    isBold: value.split(/\s+/).some((word) => boldness(word) === true),
    isItalic: value.split(/\s+/).some(isSlanted),
  }),
  'font-family': (value) => ({ isMonospaced: monospaced.test(value) }),
  'vertical-align': (value) => ({ script: value === 'super' ? 'sup' : value === 'sub' ? value : null }),
  'text-decoration': readLines,
  'text-decoration-line': readLines,
  'white-space': (value) => ({ keepsLines: /^(?:pre|break)/.test(value) }),
  color: (value) => (isColour(value) ? { isColoured: true } : {}),
  background: readBackground,
  'background-color': readBackground,
};

/** Fonts that Google Docs, Word, browsers and editors of code offer for code. */
const monospaced =
  /^["']?(?:courier(?: new)?|consolas|monaco|menlo|(?:roboto|source code|fira|jetbrains|ubuntu|(?:dejavu|droid) sans|sf|ibm plex|cascadia) ?(?:mono|pro|code)\b[^,]*|lucida console|monospace|ui-monospace)["']?(?:,|$)/;

/** Weights from 600 are bold: browsers use a font's bold face for them. */
function boldness(value: string): boolean | null {
  if (value === 'bold' || value === 'bolder') return true;
  if (value === 'normal' || value === 'lighter') return false;
  return /^\d{3,4}$/.test(value) ? Number(value) >= 600 : null;
}

function isSlanted(value: string): boolean {
  return value === 'italic' || value.startsWith('oblique');
}

function readLines(value: string): Emphasis {
  return { isStruck: value.includes('line-through'), isUnderlined: value.includes('underline') };
}

function readBackground(value: string): Emphasis {
  return { shade: shadeOf(value), ...(isColour(value) ? { isColoured: true } : {}) };
}

/** A background colour in one notation; `null` for white, transparent and invalid values. */
export function shadeOf(value: string): string | null {
  const channels = readChannels(value);
  if (channels !== null) return Math.min(...channels) > 250 ? null : channels.join(' ');
  return /^(?!white$|transparent$|inherit$|initial$|unset$|none$)[a-z]+$/.test(value) ? value : null;
}

const colourNames = new Set(
  'red green blue yellow orange purple lime magenta fuchsia cyan aqua pink crimson gold tomato orangered darkred darkgreen'.split(
    ' ',
  ),
);

/** From this difference between the strongest and the weakest channel, a colour is visibly different from grey. */
const minSaturation = 80;

/** Whether a colour is not (almost) a shade of grey. Reads only hexadecimal values, `rgb()` and common names. */
export function isColour(value: string): boolean {
  if (colourNames.has(value)) return true;
  const channels = readChannels(value);
  return channels !== null && Math.max(...channels) - Math.min(...channels) >= minSaturation;
}

/** Red, green and blue of a colour; `null` if it is unknown or fully transparent. */
function readChannels(value: string): readonly number[] | null {
  const [, short] = /^#([0-9a-f]{3,4})$/.exec(value) ?? [];
  const [, long] = /^#([0-9a-f]{6})(?:[0-9a-f]{2})?$/.exec(value) ?? [];
  const [, ...parts] = /^rgba?\((\d{1,3})[ ,]+(\d{1,3})[ ,]+(\d{1,3})(?![^)]*[ ,/]0\))/.exec(value) ?? [];
  const channels =
    short !== undefined
      ? [...short.slice(0, 3)].map((digit) => Number.parseInt(digit + digit, 16))
      : long !== undefined
        ? [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16))
        : parts.map(Number);
  return channels.length === 3 ? channels : null;
}

/** Class for a value of `text-align`, or of the obsolete `align` attribute, if it has one. */
export function alignClass(value: string): string | undefined {
  const side = value
    .trim()
    .toLowerCase()
    .replace(/^-webkit-/, '');
  return alignments.has(side) ? `align-${side}` : undefined;
}

/** Whether a class name is one of those generated here. */
export function isStyleClass(name: string): boolean {
  if (name.startsWith('align-')) return alignments.has(name.slice(6));
  if (name.startsWith('indent-')) return /^indent-[123]$/.test(name);
  if (name.startsWith('list-')) return listTypes.has(name.slice(5));
  return name.startsWith('width-') && /^width-(?:[1-9]?[05]|100)$/.test(name);
}

/** Rounds widths to steps of five percent, so that the style sheet can list them all. */
function widthClass(value: string): string | undefined {
  const percent = Number(value.slice(0, -1));
  if (!(percent > 0 && percent <= 100)) return undefined;
  return `width-${Math.max(5, Math.round(percent / 5) * 5)}`;
}

function pushKnown(classes: string[], name: string | undefined): void {
  if (name !== undefined && !classes.includes(name)) classes.push(name);
}

function cleanValue(value: string): string {
  return value
    .replace(/!\s?important\s?$/i, '')
    .trim()
    .toLowerCase();
}

function isZero(value: string): boolean {
  return /^0*(?:\.0*)?(?:px|em|rem|pt|%|vh|vw)?$/.test(value) && value.includes('0');
}

/** Whether an offset moves text off the page. */
function isFarOut(value: string): boolean {
  return /^-\d{3,}(?:\.\d+)?(?:px|em|rem|pt|vw|vh|%)?$/.test(value);
}
