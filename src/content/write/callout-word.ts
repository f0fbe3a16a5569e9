import type { CalloutKind } from '../document.ts';
import { CleanElement, type CleanNode } from '../tree/clean-tree.ts';

/** Elements that a word at the start of a callout may be in. */
const wrappers = new Set(['p', 'div', 'strong', 'b', 'em', 'i', 'u', 'span']);

const separator = /^\s*[:：.!–—-]\s*/;

/**
 * Content of a callout without a first word that repeats its kind, because Markdown writes the kind above it: `**Note:** Charge it.` becomes
 * `Charge it.`. Returns the content itself if it does not start with that word or has nothing else.
 */
export function withoutKindWord(children: readonly CleanNode[], kind: CalloutKind): readonly CleanNode[] {
  const rest = dropWord(children, kind);
  return rest?.some(isVisible) ? rest : children;
}

/** `null` if the first visible text is not the word. */
function dropWord(nodes: readonly CleanNode[], kind: CalloutKind): readonly CleanNode[] | null {
  const at = nodes.findIndex((node) => typeof node !== 'string' || node.trim() !== '');
  const first = nodes[at];
  if (first === undefined) return null;
  const before = nodes.slice(0, at);
  const after = nodes.slice(at + 1);
  if (typeof first === 'string') {
    const word = /^\s*\p{L}+/u.exec(first)?.[0] ?? '';
    if (word.trim().toLowerCase() !== kind) return null;
    const text = first.slice(word.length);
    return separator.test(text) ? [...before, text.replace(separator, ''), ...after] : null;
  }
  if (first.detail !== null || first.id !== null || !wrappers.has(first.tag)) return null;
  if (onlyText(first)?.trim().toLowerCase() === kind) {
    // `<strong>Note</strong>: Charge it.`, or the word alone in a paragraph.
    const [next, ...others] = after;
    const isAlone = first.tag === 'p' || first.tag === 'div';
    if (typeof next === 'string' && separator.test(next))
      return [...before, next.replace(separator, ''), ...others];
    return isAlone || isBreak(next) ? [...before, ...(isBreak(next) ? others : after)] : null;
  }
  const inner = dropWord(first.children, kind);
  if (inner === null) return null;
  if (!inner.some(isVisible)) {
    const [next, ...others] = after;
    return [...before, ...(typeof next === 'string' ? [next.trimStart(), ...others] : after)];
  }
  return [...before, new CleanElement(first.tag, first.attributes, null, [...inner]), ...after];
}

/** Text of an element that contains nothing but text, also within {@link wrappers}; otherwise `null`. */
function onlyText({ children }: CleanElement): string | null {
  const [only] = children;
  if (children.length !== 1 || only === undefined) return null;
  if (typeof only === 'string') return only;
  return only.id === null && only.detail === null && wrappers.has(only.tag) ? onlyText(only) : null;
}

function isBreak(node: CleanNode | undefined): boolean {
  return node instanceof CleanElement && node.tag === 'br';
}

function isVisible(node: CleanNode): boolean {
  if (typeof node === 'string') return node.trim() !== '';
  return node.detail !== null || node.children.some(isVisible);
}
