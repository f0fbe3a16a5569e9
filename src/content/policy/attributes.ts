import { escapeHtml } from '../../core/html.ts';
import { stripInvisible } from '../../core/invisible.ts';
import { englishName } from '../../core/language.ts';
import { attribute, type SourceNode } from '../parse/source-tree.ts';
import type { CleanContext } from '../tree/clean-context.ts';
import { alignClass, isStyleClass, readStyle } from './styles.ts';
import { absoluteAddress } from './url-policy.ts';

interface AttributeRule {
  readonly name: string;
  /** Elements that may have it, separated by spaces; `*` for all. */
  readonly on: string;
  /** The published value, or `null` to drop the attribute. */
  readonly value: (raw: string, context: CleanContext) => string | null;
}

/**
 * The attribute policy for elements that are published unchanged; links, images, iframes and media write their own. `id`, `name`, `class`
 * and `style` are handled elsewhere and never copied.
 */
const attributePolicy: readonly AttributeRule[] = [
  { name: 'lang', on: '*', value: languageTag },
  { name: 'dir', on: '*', value: oneOf('ltr', 'rtl', 'auto') },
  {
    name: 'title',
    on: 'abbr dfn',
    value: (raw) => stripInvisible(raw).trim() || null,
  },
  { name: 'cite', on: 'blockquote q', value: address },
  { name: 'start', on: 'ol', value: integer },
  {
    name: 'type',
    on: 'ol',
    value: (raw) => (/^[1aAiI]$/.test(raw) ? raw : null),
  },
  { name: 'reversed', on: 'ol', value: () => '' },
  { name: 'value', on: 'li', value: integer },
  { name: 'open', on: 'details', value: () => '' },
];

const rules = new Map(
  attributePolicy.map(
    ({ name, on, value }) => [name, { on: on === '*' ? null : new Set(on.split(' ')), value }] as const,
  ),
);

/** Elements that may have the classes of a style, by the first word of the class. */
const styled: Readonly<Record<string, ReadonlySet<string>>> = {
  align: new Set('p div h1 h2 h3 h4 h5 h6 td th li figure caption figcaption'.split(' ')),
  indent: new Set('p div h2 h3 h4 h5 h6'.split(' ')),
  list: new Set(['ul', 'ol', 'li']),
  width: new Set('table td th div figure'.split(' ')),
};

/** Serialises the allowed attributes of `node` for a `tag`, each with a leading space; `''` if there are none. */
export function keptAttributes(node: SourceNode, tag: string, context: CleanContext): string {
  let kept = '';
  const classes = node.name === 'center' ? ['align-center'] : [];
  for (const { name, value: raw } of node.attributes) {
    const rule = rules.get(name);
    if (rule !== undefined && (rule.on === null || rule.on.has(tag))) {
      const value = rule.value(raw, context);
      if (value !== null) kept += value === '' ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`;
    } else if (name === 'class') addClasses(classes, classNames(raw), tag, context);
    else if (name === 'style') addClasses(classes, readStyle(raw).classes, tag, context);
    else if (name === 'align') addClasses(classes, [alignClass(raw) ?? ''], tag, context);
  }
  return classes.length === 0 ? kept : `${kept} class="${escapeHtml(classes.join(' '))}"`;
}

/** Adds the class names that an element of this tag may have. Of several of one family, such as alignments, the first counts. */
function addClasses(classes: string[], names: readonly string[], tag: string, context: CleanContext): void {
  for (const name of names) {
    const isStyle = isStyleClass(name);
    const isAllowed = isStyle ? isStyleOf(name, tag) : context.isUserClass(name);
    const isTaken = classes.some((other) => other === name || (isStyle && family(other) === family(name)));
    if (isAllowed && !isTaken) classes.push(name);
  }
}

/** `class` with the names the user allows and `more`, serialised; `''` if there are none. For elements that write their own attributes. */
export function classAttribute(node: SourceNode, more: readonly string[], context: CleanContext): string {
  const raw = attribute(node, 'class');
  const kept = raw === null ? [] : classNames(raw).filter((name) => context.isUserClass(name));
  const names = [...new Set([...kept, ...more])];
  return names.length === 0 ? '' : ` class="${escapeHtml(names.join(' '))}"`;
}

/** Names in a `class` attribute. */
export function classNames(raw: string): string[] {
  return raw.split(/[\t\n\f\r ]+/);
}

function isStyleOf(name: string, tag: string): boolean {
  return styled[family(name)]?.has(tag) ?? false;
}

function family(name: string): string {
  return name.slice(0, name.indexOf('-'));
}

function oneOf(...allowed: readonly string[]): (raw: string) => string | null {
  return (raw) => {
    const value = raw.trim().toLowerCase();
    return allowed.includes(value) ? value : null;
  };
}

function integer(raw: string): string | null {
  const digits = /^\s*([+-]?)0*(\d{1,9})/.exec(raw);
  return digits === null ? null : String(Number(`${digits[1]}${digits[2]}`));
}

function address(raw: string, context: CleanContext): string | null {
  const url = absoluteAddress(raw.trim(), context.settings.baseUrl);
  const resolution = url === null ? null : context.resolveLink(url);
  if (resolution?.kind === 'internal') return absoluteAddress(resolution.url, context.settings.baseUrl);
  if (resolution?.kind !== 'unlinked') return url;
  context.report(resolution.problem, resolution.message);
  return null;
}

function languageTag(raw: string): string | null {
  const tag = raw.trim();
  const isTag = /^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-[A-Za-z]{2})?$/.test(tag);
  return isTag && englishName(tag) !== null ? tag : null;
}
