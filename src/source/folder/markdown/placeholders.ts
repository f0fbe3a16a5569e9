import { kindOf, voidElements } from '../../../content/policy/elements.ts';

/** One or more words between angle brackets: `<name>`, `<your name>`. In the target of a link, they are the name of a file. */
const words = /(?<!\\|\](?:\(|:)\s*)<([a-z][\w-]*)((?: [\w-]+)*)>/gi;

/**
 * Escapes placeholders that an author forgot to mark as code, such as `<name>`: browsers take them for elements, which show nothing. They are
 * start tags of no known element, and nothing ends them.
 * @param text whose code is hidden
 */
export function escapePlaceholders(text: string): string {
  const ended = new Set([...text.matchAll(/<\/([a-z][\w-]*)/gi)].map(([, name = '']) => name.toLowerCase()));
  return text.replace(words, (tag, name: string) =>
    isElement(name.toLowerCase()) || ended.has(name.toLowerCase()) ? tag : `&lt;${tag.slice(1, -1)}&gt;`,
  );
}

/** Nobody leaves out the end tag of an old list (`dir`). Those of the parts of a `ruby` are optional. */
function isElement(name: string): boolean {
  if (name === 'dir') return false;
  return kindOf(name).treatment !== undefined || voidElements.has(name) || /^r[bpt]c?$/.test(name);
}
