import type { CalloutKind, ContentPolicy } from '../document.ts';
import { classNames } from '../policy/attributes.ts';
import { byName } from '../policy/elements.ts';
import { CleanElement, type CleanNode, isAnchor } from './clean-tree.ts';

/** Words in class names of editors and CSS frameworks, with the kind of callout they indicate. */
const kindByWord = new Map(
  byName<CalloutKind>([
    ['note info information blue primary', 'note'],
    ['tip hint success green', 'tip'],
    ['important purple', 'important'],
    ['warning warn attention yellow', 'warning'],
    ['caution danger error critical emergency red', 'caution'],
  ]),
);

/** Class names that make a block a callout by themselves; the kind follows after `-`, `--`, `_` or as a separate class. */
const families = new Set([
  'callout',
  'alert',
  'usa-alert',
  'slds-notify_alert',
  'markdown-alert',
  'admonition',
  'confluence-information-macro',
  'notice',
  'hint',
  'message-box',
  'note-box',
  'infobox',
]);

/** Class names that indicate both a callout and its kind. */
const single = new Map(
  byName<CalloutKind>([
    ['note info-box infoBox', 'note'],
    ['tip tip-box tipBox successBox', 'tip'],
    ['important', 'important'],
    ['warning warning-box warningBox', 'warning'],
    ['caution errorBox', 'caution'],
  ]),
);

/** The classes that {@link calloutAttributes} writes. Configured classes never change the kind of a callout that was already published. */
const published: ReadonlyMap<string, CalloutKind> = new Map(
  (['note', 'tip', 'important', 'warning', 'caution'] as const).map((kind) => [
    `callout callout-${kind}`,
    kind,
  ]),
);

/** The kind of callout that a `class` attribute indicates, or `null`. The user's rows take precedence. */
export function calloutKind(classAttribute: string, callouts: ContentPolicy['callouts']): CalloutKind | null {
  const own = published.get(classAttribute);
  if (own !== undefined) return own;
  const names = classNames(classAttribute);
  for (const name of names) {
    const kind = userKind(name, callouts);
    if (kind !== null) return kind;
  }
  let isCallout = false;
  let found: CalloutKind | null = null;
  for (const name of names) {
    found ??= familyKind(name);
    if (isFamily(name)) isCallout = true;
  }
  if (found !== null) return found;
  if (isCallout) return names.flatMap((name) => kindByWord.get(name) ?? [])[0] ?? 'note';
  return names.length === 1 ? (single.get(names[0] ?? '') ?? null) : null;
}

/** Attributes of a published callout. */
export function calloutAttributes(kind: CalloutKind): string {
  return ` class="callout callout-${kind}" role="note"`;
}

const marker = /^\[!(note|tip|important|warning|caution)\] ?/i;

/**
 * Turns a quotation that starts with `[!NOTE]` (as GitHub writes callouts) into one. Link targets may come before the marker. Returns the marker, or
 * `null`.
 */
export function detectCallout(quotation: CleanElement): string | null {
  let host = quotation;
  for (let lead = contentOf(host)[0]; lead instanceof CleanElement && lead.tag === 'p'; ) {
    host = lead;
    lead = contentOf(host)[0];
  }
  const [first, ...others] = contentOf(host);
  const match = typeof first === 'string' ? marker.exec(first) : null;
  if (match === null || typeof first !== 'string') return null;
  const kind = (match[1] as string).toLowerCase() as CalloutKind;
  const rest = first.slice(match[0].length);
  // An empty callout stays a quotation.
  if (rest === '' && others.length === 0 && (host === quotation || contentOf(quotation).length === 1))
    return null;
  host.children.splice(host.children.indexOf(first), 1, ...(rest === '' ? [] : [rest]));
  dropLeadingSpace(host);
  if (host !== quotation && host.children.length === 0)
    quotation.children.splice(quotation.children.indexOf(host), 1);
  quotation.rename('div');
  quotation.attributes = calloutAttributes(kind);
  quotation.detail = { kind: 'callout', callout: kind };
  return match[0];
}

/** The children without link targets. */
function contentOf({ children }: CleanElement): readonly CleanNode[] {
  return children.filter((child) => typeof child === 'string' || !isAnchor(child));
}

/** Removes white space and line breaks after the removed marker; link targets before them stay. */
function dropLeadingSpace(host: CleanElement): void {
  const { children } = host;
  for (let at = 0; at < children.length; ) {
    const child = children[at] as CleanNode;
    const text = typeof child === 'string' ? child.trimStart() : '';
    if (text !== '') children[at] = text;
    if (text !== '') return;
    if (typeof child !== 'string' && isAnchor(child)) at++;
    else if (typeof child === 'string' || child.tag === 'br') children.splice(at, 1);
    else return;
  }
}

function userKind(name: string, callouts: ContentPolicy['callouts']): CalloutKind | null {
  for (const [pattern, kind] of Object.entries(callouts)) {
    if (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern) return kind;
  }
  return null;
}

/** Kind of a class such as `alert-warning`, `usa-alert--info`, `callout_tip`, `note-callout`. */
function familyKind(name: string): CalloutKind | null {
  if (name.endsWith('-callout')) return kindByWord.get(name.slice(0, -'-callout'.length)) ?? null;
  const word = /[-_]([a-z]+)$/.exec(name)?.[1] ?? '';
  const kind = kindByWord.get(word);
  if (kind === undefined) return null;
  const family = name.slice(0, -word.length).replace(/[-_]{1,2}$/, '');
  return isFamily(family) ? kind : null;
}

/** Editors put their own name before the word, as in `fd-callout` and `ghq-card-content__callout`. */
function isFamily(name: string): boolean {
  return families.has(name) || name.endsWith('-callout') || name.endsWith('__callout');
}
