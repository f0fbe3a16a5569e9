import { kindOf, voidElements } from './policy/elements.ts';
import { readStyle } from './policy/styles.ts';
import { foldSpace } from './text.ts';

/** A comment (also one that does not end), or a tag with its name and attributes. */
const commentOrTag =
  /<!--(?:>|->|[\s\S]*?(?:--!?>|$))|<(\/?)([a-z][^\s/>]*)((?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^>"'])*)(?:>|$)/gi;

/** Elements that show something without text. */
const shown = new Set(['img', 'image', 'iframe', 'video', 'audio', 'math', 'input', 'oembed']);

/** Attributes and classes that make a player of an element. */
const player = /data-oembed-url|wistia_async_|vidyard/i;

/** References to white space and to characters without a width, which editors leave in an emptied text. */
const blankReference =
  /&(?:nbsp|ensp|emsp|thinsp|hairsp|zwnj|zwj|lrm|rlm|shy|Tab|NewLine|NoBreak|ZeroWidthSpace|#0*(?:9|10|13|32|160|173|819[2-9]|820[0-7]|8239|8288|65279)|#x0*(?:9|a|d|20|a0|ad|200[0-9a-f]|202f|2060|feff));/gi;

/** Elements whose content a browser reads as plain text up to their end tag. */
const raw = new Set(['script', 'style']);

/** Deepest nesting in a hidden element that is read. */
const maxHidden = 50;

/** Elements that a hidden one may contain in {@link hasContent}: these are where their tags say, except a block in a paragraph. */
const nestable = new Set('div span b strong i em u ul ol h1 h2 h3 h4 h5 h6 section'.split(' '));
const nestableOnce = new Set(['p', 'a', 'li']);

/**
 * Whether a body shows a text, an image or a player. An editor saves an emptied text as `<p><br></p>`, `<p>&nbsp;</p>` or `<div><br></div>`.
 * Reads only the tags, because it is asked for each body of every run; what it cannot be sure of counts as content.
 */
export function hasContent(body: string): boolean {
  let from = 0;
  /** The element whose content nobody sees, and those in it that are open. */
  const hidden: string[] = [];
  commentOrTag.lastIndex = 0;
  for (;;) {
    const tag = commentOrTag.exec(body);
    if (hidden.length === 0 && isVisible(body.slice(from, tag?.index))) return true;
    if (tag === null) return hidden.length > 0;
    from = commentOrTag.lastIndex;
    const [, slash, written, attributes = ''] = tag;
    if (written === undefined) continue;
    const name = written.toLowerCase();
    if (slash === '/') {
      if (hidden.length > 0 && hidden.pop() !== name) return true;
    } else if (raw.has(name)) {
      const end = new RegExp(`</${name}[\\s/>]`, 'gi');
      end.lastIndex = from;
      if (end.exec(body) === null) return false;
      commentOrTag.lastIndex = end.lastIndex - name.length - 3;
      from = commentOrTag.lastIndex;
    } else if (voidElements.has(name)) {
      if (hidden.length === 0 && !isHidden(attributes) && shows(name, attributes)) return true;
    } else if (hidden.length > 0 || isHidden(attributes)) {
      const isWritten = nestable.has(name) || (nestableOnce.has(name) && !hidden.includes(name));
      if (!isWritten || hidden.length >= maxHidden || hidden.includes('p')) return true;
      hidden.push(name);
    } else if (shows(name, attributes)) return true;
  }
}

function shows(name: string, attributes: string): boolean {
  // Of an image without a URL, browsers show the text.
  if (name === 'img') return /src|alt\s*=\s*["']?\s*[^\s"'>]/i.test(attributes);
  // What is removed with its content is reported, on its page.
  if (kindOf(name).treatment?.kind === 'drop') return !voidElements.has(name);
  if (name === 'input') return /checkbox/i.test(attributes);
  // An element of a script or of another format may show anything.
  return shown.has(name) || (/[-:]/.test(name) && name !== 'o:p') || player.test(attributes);
}

function isHidden(attributes: string): boolean {
  if (/(?:^|\s)hidden(?:$|[\s=/])/i.test(attributes)) return true;
  const style = /(?:^|\s)style\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes);
  return style !== null && readStyle(style[1] ?? style[2] ?? '').isHidden;
}

function isVisible(text: string): boolean {
  return text !== '' && foldSpace(text.replace(blankReference, ' ')).trim() !== '';
}
