import { countText, Tally } from '../ledger.ts';
import { after, elementsAround, findBelow, following } from '../parse/edit-tree.ts';
import { isLeftOut, rawText } from '../parse/raw-text.ts';
import { attribute, type SourceNode } from '../parse/source-tree.ts';
import { foldSpace } from '../text.ts';
import { hasGrammar } from '../write/highlight.ts';
import type { CleanContext } from './clean-context.ts';
import { CleanElement } from './clean-tree.ts';
import { removeHidden } from './hidden.ts';
import { addIframe, addImage, addMedia } from './images.ts';

/** Elements that are published after the code. */
const published = new Map([
  ['img', addImage],
  ['iframe', addIframe],
  ['video', addMedia],
  ['audio', addMedia],
]);

/** Elements that Markdown and the colours of code do not show, although they change what a line means. */
const meaningful = new Set(['del', 's', 'strike', 'sup', 'sub']);

/** Publishes a `<pre>` as code, unchanged, and then its images. */
export function addCode(node: SourceNode, context: CleanContext): void {
  const shown: SourceNode[] = [];
  for (let at = node.first; at !== null; ) {
    const isGone = removeHidden(at, context) || isLeftOut(at, node);
    if (isGone && !at.isHidden) dropCode(at, context);
    if (!isGone || (isMedia(at) && !at.isHidden)) shown.push(at);
    if (meaningful.has(at.name) && at.first !== null && !isGone)
      context.report('ELEMENT_DROPPED', `<${at.name}> in a block of code is published as its text.`);
    at = isGone ? after(at, node) : following(at, node);
  }
  // An author may have written the end of a line as a character reference.
  const text = rawText(node).replace(/\r\n?/g, '\n');
  if (text.trim() !== '') addText(node, text, context);
  for (const one of shown) published.get(one.name)?.(one, context);
}

const isMedia = ({ name }: SourceNode): boolean => published.get(name) === addMedia;

function dropCode(node: SourceNode, context: CleanContext): void {
  const { treatment } = node.kind;
  const isReported = treatment?.kind !== 'drop' || treatment.isReported;
  if (isReported && !isMedia(node)) context.drop(node);
}

function addText(node: SourceNode, text: string, context: CleanContext): void {
  const element = new CleanElement('pre', '', { kind: 'code', language: languageOf(node), text });
  if (context.builder.addBlock(element)) return;
  context.report('ELEMENT_DROPPED', `a block of code inside a heading is published as its text.`);
  const tally = new Tally();
  countText(text, tally);
  context.removed.tally.code += tally.letters;
  context.builder.addSpace(' ');
  context.builder.text(foldSpace(text));
  context.builder.addSpace(' ');
}

const languageClass = /^(?:lang|language|highlight-source)-([a-z0-9+#._-]{1,30})$/;

/** Language that an attribute or a class of a `<pre>`, of its `<code>` or of the box around it names; lower case. */
function languageOf(pre: SourceNode): string | null {
  const code = findBelow(pre, ({ name }) => name === 'code', 64);
  for (const node of [code, pre, ...boxesAround(pre)]) {
    if (node === null) continue;
    const classes = attribute(node, 'class') ?? '';
    const names = classes.toLowerCase().split(/\s+/);
    const named =
      attribute(node, 'data-language') ??
      attribute(node, 'data-lang') ??
      attribute(node, 'data-code-brush') ??
      /\bbrush:\s*([\w#+-]+)/.exec(attribute(node, 'data-syntaxhighlighter-params') ?? classes)?.[1];
    // These may be words of another kind: the language of a comment, a class for the look.
    const known = names.includes('hljs') ? [...names] : [];
    const lang = attribute(node, 'lang')?.toLowerCase() ?? '';
    // Czech is more probable than C#.
    if (node === pre && lang !== 'cs') known.push(lang);
    const candidates = [...(named ? [`language-${named.toLowerCase()}`] : []), ...names];
    candidates.push(...known.filter(hasGrammar).map((name) => `language-${name}`));
    for (const name of candidates) {
      const language = languageClass.exec(name)?.[1];
      if (language !== undefined) return language;
    }
  }
  return null;
}

/** The boxes that GitHub, Rouge and Pygments put around a block of code. */
function boxesAround(pre: SourceNode): readonly SourceNode[] {
  const boxClass = /(?:^|\s)highlight(?:er-rouge|-source-\S+)?(?:\s|$)/;
  return elementsAround(pre).filter((node) => boxClass.test(attribute(node, 'class') ?? ''));
}
