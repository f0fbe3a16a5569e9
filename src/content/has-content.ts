import { rewriteEditors } from './editors/rewrite-editors.ts';
import { rewriteDisclosures } from './parse/disclosures.ts';
import { after, following, isHidden } from './parse/edit-tree.ts';
import { parseBody } from './parse/parse-body.ts';
import type { SourceNode } from './parse/source-tree.ts';
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

/** What of them is not white space. */
const blank = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;

/**
 * Whether a body shows a text, an image or a player. An editor saves an emptied text as `<p><br></p>`, `<p>&nbsp;</p>` or `<div><br></div>`.
 * Reads only the tags, because it is asked for each body of every run; only the parser knows what is in an element that nobody sees.
 */
export function hasContent(body: string): boolean {
  let from = 0;
  commentOrTag.lastIndex = 0;
  for (;;) {
    const tag = commentOrTag.exec(body);
    if (isVisible(body.slice(from, tag?.index).replace(blankReference, ' '))) return true;
    if (tag === null) return false;
    from = commentOrTag.lastIndex;
    const [, slash, written, attributes = ''] = tag;
    if (slash === '/' || written === undefined) continue;
    const name = written.toLowerCase();
    if (name === 'style') {
      const end = body.slice(from).search(/<\/style[\s/>]/i);
      if (end === -1) return false;
      from += end;
      commentOrTag.lastIndex = from;
    } else if (name === 'script' || mayHide(attributes)) {
      // What hides nothing but itself is mostly near other text, and a body may be long.
      const start = body.slice(0, body.lastIndexOf('>', startLength) + 1);
      return showsParsed(parseBody(start)) || (start !== body && showsParsed(parseBody(body)));
    } else if (shows(name, attributes)) return true;
  }
}

const startLength = 2000;

/** Whether attributes hide an element, or may do so: the word can also be one of its classes. */
function mayHide(attributes: string): boolean {
  if (/(?:^|\s)hidden(?:$|[\s=/])/i.test(attributes)) return true;
  const style = /(?:^|\s)style\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes);
  if (style === null) return false;
  const { isHidden, hidesText } = readStyle(style[1] ?? style[2] ?? '');
  return isHidden || hidesText !== null;
}

const isCode = (name: string): boolean => name === 'script' || name === 'style';

function showsParsed(root: SourceNode): boolean {
  let isReported = false;
  const report = (): void => {
    isReported = true;
  };
  // What a reader can open is not hidden. What is removed with a problem is reported on its page.
  rewriteEditors(root, { report, remove() {}, unwrap() {} });
  if (isReported) return true;
  rewriteDisclosures(root, () => {});
  for (let node = root.first; node !== null; ) {
    const isSkipped = isHidden(node) || isCode(node.name);
    const attributes = node.attributes.map(({ name, value }) => `${name}="${value}"`).join(' ');
    if (!isSkipped && (isVisible(node.text.replace(blank, ' ')) || shows(node.name, attributes))) return true;
    node = isSkipped ? after(node, root) : following(node, root);
  }
  return false;
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

function isVisible(text: string): boolean {
  return text !== '' && foldSpace(text).trim() !== '';
}
