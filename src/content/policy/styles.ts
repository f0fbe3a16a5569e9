/** What is kept of an inline style; colours, fonts and sizes are the theme's business. */
export interface StyleFacts {
  readonly classes: readonly string[];
  /** Whether no reader can see the text. */
  readonly isHidden: boolean;
}

const plain: StyleFacts = { classes: [], isHidden: false };

const alignments: Readonly<Record<string, string>> = {
  left: 'align-left',
  center: 'align-center',
  right: 'align-right',
  justify: 'align-justify',
  '-webkit-center': 'align-center',
  '-webkit-left': 'align-left',
  '-webkit-right': 'align-right',
};

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

/** Declarations that hide text by themselves. */
const hiding: Readonly<Record<string, (value: string) => boolean>> = {
  display: (value) => value === 'none',
  visibility: (value) => value === 'hidden' || value === 'collapse',
  opacity: isZero,
  'font-size': isZero,
  color: (value) => value === 'transparent',
  'text-indent': isFarOut,
  left: isFarOut,
  top: isFarOut,
  'margin-left': isFarOut,
  'margin-top': isFarOut,
  clip: (value) => /^rect\((?:0|1px|0px)[ ,]/.test(value),
  'clip-path': (value) => /^inset\((?:50|100)%/.test(value) || value === 'circle(0)',
  transform: (value) => value === 'scale(0)',
  'content-visibility': (value) => value === 'hidden',
};

/** Declarations that hide text together with `overflow: hidden`. */
const sizes = new Set(['height', 'max-height', 'width', 'max-width']);

/** Reads one `style` attribute. */
export function readStyle(style: string): StyleFacts {
  const classes: string[] = [];
  let isHidden = false;
  let isClipped = false;
  let hasNoSize = false;
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const property = declaration.slice(0, colon).trim().toLowerCase();
    const value = cleanValue(declaration.slice(colon + 1));
    if (property === 'text-align') pushKnown(classes, alignments[value]);
    else if (property === 'width' && value.endsWith('%')) pushKnown(classes, widthClass(value));
    else if (property === 'list-style-type' || property === 'list-style') {
      pushKnown(classes, listTypes.has(value) ? `list-${value}` : undefined);
    }
    if (property === 'overflow' && value === 'hidden') isClipped = true;
    if (sizes.has(property) && isZero(value)) hasNoSize = true;
    if (Object.hasOwn(hiding, property) && hiding[property]?.(value)) isHidden = true;
  }
  isHidden ||= isClipped && hasNoSize;
  return classes.length === 0 && !isHidden ? plain : { classes, isHidden };
}

/** Class for the obsolete `align` attribute, if it has one. */
export function alignClass(value: string): string | null {
  const key = value.trim().toLowerCase();
  return Object.hasOwn(alignments, key) ? (alignments[key] ?? null) : null;
}

/** Whether a class name is one of those made here. */
export function isStyleClass(name: string): boolean {
  if (name.startsWith('align-')) return Object.values(alignments).includes(name);
  if (name.startsWith('list-')) return listTypes.has(name.slice(5));
  return name.startsWith('width-') && /^width-(?:[1-9]?[05]|100)$/.test(name);
}

/** Widths in steps of five percent: a style sheet can list them. */
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

/** Pushed off the page. */
function isFarOut(value: string): boolean {
  return /^-\d{3,}(?:\.\d+)?(?:px|em|rem|pt|vw|vh|%)?$/.test(value);
}
