import { attribute, type SourceNode } from '../parse/source-tree.ts';

/** What an editor writes for something that HTML has an element for. */
export interface EditorRule {
  readonly editor: string;
  /** A public report of the kind, the documentation of the format, or where it was seen if there is neither. */
  readonly report: string;
  /** Element names, separated by spaces; absent: every element that has the class or the attribute. */
  readonly on?: string;
  /** A class of the element; with `*` at the end its prefix. */
  readonly hasClass?: string;
  /** An attribute of the element. */
  readonly has?: string;
  /** Makes plain HTML of the element. What it makes is cleaned like everything that an author wrote. */
  readonly rewrite: (node: SourceNode, notes: RewriteNotes) => void;
}

/** What a rule says of content that it does not publish as text. */
export interface RewriteNotes {
  /** Reports that something was removed. */
  readonly report: (message: string) => void;
  /** Notes that the content of an element is published in another form: the number of an item, the title of a player. */
  readonly remove: (node: SourceNode) => void;
  /** Notes that only the content of an element is published. */
  readonly unwrap: (node: SourceNode) => void;
}

/** The classes of an element. */
export function classesOf(node: SourceNode): readonly string[] {
  return attribute(node, 'class')?.split(/\s+/) ?? [];
}

/** The class with this prefix, without it; `null` if there is none. */
export function classAfter(node: SourceNode, prefix: string): string | null {
  return (
    classesOf(node)
      .find((name) => name.startsWith(prefix))
      ?.slice(prefix.length) ?? null
  );
}

/** Whether an element is what a rule is about. */
export function applies(rule: EditorRule, node: SourceNode, classes: readonly string[]): boolean {
  if (rule.has !== undefined && attribute(node, rule.has) === null) return false;
  const { hasClass } = rule;
  if (hasClass === undefined) return true;
  return hasClass.endsWith('*')
    ? classes.some((name) => name.startsWith(hasClass.slice(0, -1)))
    : classes.includes(hasClass);
}
