import { countText, Tally } from '../ledger.ts';
import { after, following } from '../parse/edit-tree.ts';
import { isLeftOut, rawText } from '../parse/raw-text.ts';
import { attribute, type SourceNode } from '../parse/source-tree.ts';
import { foldSpace } from '../text.ts';
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

/** What Markdown and the colours of code leave out, although it changes what a line means. */
const meaningful = new Set(['del', 's', 'strike', 'sup', 'sub']);

/** Publishes a `<pre>` as code, unchanged, and then its images. */
export function addCode(node: SourceNode, context: CleanContext): void {
  const shown: SourceNode[] = [];
  for (let at = node.first; at !== null; ) {
    const isGone = removeHidden(at, context) || isLeftOut(at, node);
    if (isGone && !at.isHidden) dropCode(at, context);
    if (!isGone || (isMedia(at) && !at.isHidden)) shown.push(at);
    if (meaningful.has(at.name) && at.first !== null && !isGone) context.flatten(at);
    at = isGone ? after(at, node) : following(at, node);
  }
  const text = rawText(node);
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

/** Language in a class or data attribute of a `<pre>` or its `<code>`; lower case. */
function languageOf(pre: SourceNode): string | null {
  const code = pre.first !== null && pre.first.name === 'code' ? pre.first : null;
  for (const node of [code, pre]) {
    if (node === null) continue;
    const named = attribute(node, 'data-language') ?? attribute(node, 'data-lang');
    const brush = /\bbrush:\s*([\w#+-]+)/.exec(
      attribute(node, 'data-syntaxhighlighter-params') ?? attribute(node, 'class') ?? '',
    );
    const candidates =
      named === null ? (brush === null ? [] : [`language-${brush[1]}`]) : [`language-${named}`];
    for (const name of [...candidates, ...(attribute(node, 'class') ?? '').split(/\s+/)]) {
      const language = languageClass.exec(name.toLowerCase())?.[1];
      if (language !== undefined) return language;
    }
  }
  return null;
}
