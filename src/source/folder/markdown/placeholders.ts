import { kindOf, voidElements } from '../../../content/policy/elements.ts';

/** One or more words between angle brackets: `<name>`, `<your name>`. In the target of a link, they are the name of a file. */
const words = /(?<!\\|\](?:\(|:)\s*)<([a-z][\w-]*)((?: [\w-]+)*)>/gi;

/**
 * Elements that need an end, and what makes them text or the name of a file: without an end, all that follows would be inside of them, and
 * would not be published.
 */
const needsEnd =
  /(\\|\](?:\(|:)\s*)?<(iframe|video|audio|object|canvas|button|select|textarea|dialog|template|noscript|script|style)(?![\w.:-])(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/gi;

/** The start of a player whose sources follow. */
const player = /^<(?:video|audio)(?: (?:controls|autoplay|loop|muted|playsinline))+>$/i;

/**
 * Escapes placeholders that an author forgot to mark as code, such as `<name>` and `<button>`: browsers take them for elements, which show
 * nothing, and some hide the rest of the page. They are start tags of unknown or hidden elements without values, or of dropped ones, and
 * nothing ends them. Elements that are written as `<video … />` get their end tag, also with attributes of JSX; other players get it with
 * the rest of the body.
 * @param text whose code is hidden
 */
export function escapePlaceholders(text: string): string {
  const ended = new Set([...text.matchAll(/<\/([a-z][\w-]*)/gi)].map(([, name = '']) => name.toLowerCase()));
  const isTag = (tag: string, name: string): boolean =>
    isElement(name) || ended.has(name) || player.test(tag);
  return text
    .replace(words, (tag: string, name: string) =>
      isTag(tag, name.toLowerCase()) ? tag : `&lt;${tag.slice(1, -1)}&gt;`,
    )
    .replace(needsEnd, (tag: string, before: string | undefined, name: string) => {
      if (tag.endsWith('/>')) return `${tag}</${name}>`;
      const isDropped = before === undefined && kindOf(name.toLowerCase()).treatment?.kind === 'drop';
      return isDropped && !isTag(tag, name.toLowerCase()) ? `&lt;${tag.slice(1, -1)}&gt;` : tag;
    });
}

/** Elements that show nothing without attributes or an end. */
const hidden = /^(?:iframe|media|math|button|input|image)$/;

/** Everybody writes the end tag of an old list (`dir`) or of a dialog. Those of the parts of a `ruby` are optional. */
function isElement(name: string): boolean {
  const { treatment } = kindOf(name);
  if (name === 'dir' || name === 'dialog') return false;
  // Columns need no attributes, and a renderer shows no style sheet as text.
  if (treatment?.kind === 'drop') return /^(?:col|colgroup|script|style)$/.test(name);
  if (treatment?.kind === 'special' && hidden.test(treatment.rule)) return false;
  return treatment !== undefined || voidElements.has(name) || /^r[bpt]c?$/.test(name);
}
