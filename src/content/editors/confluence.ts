import {
  boldText,
  findBelow,
  moveContent,
  newElement,
  rename,
  replace,
  textNode,
} from '../parse/edit-tree.ts';
import { rawText } from '../parse/raw-text.ts';
import { attribute, childrenOf, link, type SourceNode, unlink } from '../parse/source-tree.ts';
import { foldSpace } from '../text.ts';
import type { EditorRule, RewriteNotes } from './editor-rule.ts';
import { markTask } from './lists.ts';
import { replaceByPlayer } from './players.ts';

const editor = 'Confluence';
const report = 'https://confluence.atlassian.com/doc/confluence-storage-format-790796544.html';

/** Callouts by the name of their macro. */
const callouts: Readonly<Record<string, string>> = {
  info: 'note',
  note: 'note',
  tip: 'tip',
  warning: 'warning',
};

/** Callouts by the type of a panel of the new editor. */
const panelKinds: Readonly<Record<string, string>> = {
  note: 'note',
  success: 'tip',
  warning: 'warning',
  error: 'caution',
};

/** Macros that show a list or a target which the site makes itself. */
const generated: ReadonlySet<string> = new Set([
  'toc',
  'toc-zone',
  'anchor',
  'children',
  'pagetree',
  'livesearch',
  'recently-updated',
]);

/** Rules for the storage format, which the API of Confluence returns. */
export const confluenceRules: readonly EditorRule[] = [
  {
    editor,
    report: 'sooperset/mcp-atlassian#1255',
    on: 'ac:structured-macro ac:macro',
    rewrite: rewriteMacro,
  },
  {
    editor,
    report,
    on: 'ac:rich-text-body ac:plain-text-body',
    rewrite: (node) => void rename(node, newElement(node.name === 'ac:rich-text-body' ? 'div' : 'pre')),
  },
  { editor, report, on: 'ac:link', rewrite: rewriteLink },
  { editor, report, on: 'ac:image', rewrite: rewriteImage },
  { editor, report, on: 'ac:task-list', rewrite: (node) => void rename(node, newElement('ul')) },
  {
    editor,
    report,
    on: 'ac:task',
    rewrite(task) {
      const status = childOf(task, 'ac:task-status');
      const isDone = status !== null && rawText(status, 100).trim() === 'complete';
      for (const name of ['ac:task-id', 'ac:task-uuid', 'ac:task-status']) remove(childOf(task, name));
      const body = childOf(task, 'ac:task-body');
      if (body !== null) rename(body, newElement('span'));
      markTask(rename(task, newElement('li')), isDone);
    },
  },
  {
    editor,
    report: 'https://developer.atlassian.com/cloud/confluence/adf-extension/',
    on: 'ac:adf-extension',
    // What is for programs that do not know the panel says the same again.
    rewrite(node, notes) {
      const panel = childOf(node, 'ac:adf-node');
      const content = panel === null ? null : childOf(panel, 'ac:adf-content');
      const fallback = childOf(node, 'ac:adf-fallback');
      if (panel === null || content === null) return;
      const settings = childrenOf(panel).filter(({ name }) => name === 'ac:adf-attribute');
      const type = settings.findLast((one) => attribute(one, 'key') === 'panel-type');
      const kind = type === undefined ? 'note' : (panelKinds[rawText(type, 20).trim()] ?? 'note');
      for (const one of fallback === null ? settings : [...settings, fallback]) {
        notes.remove(one);
        unlink(one);
      }
      const isPanel = attribute(panel, 'type') === 'panel';
      rename(panel, newElement('div', isPanel ? { class: `callout callout-${kind}` } : {}));
    },
  },
  {
    editor,
    report,
    on: 'ac:emoticon',
    // The older ones have only a name, and an image with this text on the page.
    rewrite(node) {
      const name = attribute(node, 'ac:name') ?? '';
      replace(node, textNode(attribute(node, 'ac:emoji-fallback') ?? (name === '' ? '' : `(${name})`)));
    },
  },
  { editor, report, on: 'ac:placeholder ac:parameter', rewrite: unlink },
  {
    editor,
    report,
    on: 'ac:layout ac:layout-section ac:layout-cell',
    rewrite: (node) => void rename(node, newElement('div')),
  },
  {
    editor,
    report,
    on: 'time',
    has: 'datetime',
    rewrite(node) {
      if (node.first === null) link(node, textNode(apart(node, attribute(node, 'datetime') ?? '')), null);
    },
  },
];

function rewriteMacro(macro: SourceNode, notes: RewriteNotes): void {
  const name = attribute(macro, 'ac:name')?.toLowerCase() ?? '';
  const parameters = takeParameters(macro);
  const title = parameters.get('title') ?? '';
  const plain = childOf(macro, 'ac:plain-text-body');
  const rich = childOf(macro, 'ac:rich-text-body');
  // An excerpt, or the properties of a page, that only other pages show.
  const body = newElement('div', parameters.get('hidden') === 'true' ? { hidden: '' } : {});
  if (rich !== null) rename(rich, newElement('div'));
  if (plain === null) moveContent(macro, body);
  if (plain !== null) {
    if (title !== '') link(body, boldText('p', title), null);
    link(body, codeOf(plain, parameters.get('language') ?? null), null);
    moveContent(macro, body);
  } else if (rich === null && showsNothing(body)) {
    const dropped = newElement('span');
    moveContent(body, dropped);
    link(macro, dropped, null);
    replaceWithoutBody(macro, name, parameters, notes);
    return;
  } else if (name === 'expand' && title !== '') {
    rename(macro, newElement('details', {}, newElement('summary', {}, textNode(title)), body));
    return;
  } else {
    const kind = Object.hasOwn(callouts, name) ? callouts[name] : undefined;
    if (kind !== undefined) body.attributes.push({ name: 'class', value: `callout callout-${kind}` });
    if (title !== '') link(body, boldText('p', title), body.first);
  }
  rename(macro, body);
}

/** Replaces a macro without a text by what its parameters say. */
function replaceWithoutBody(
  macro: SourceNode,
  name: string,
  parameters: ReadonlyMap<string, string>,
  notes: RewriteNotes,
): void {
  const url = parameters.get('url');
  const text = parameters.get('title') ?? parameters.get('key') ?? '';
  const holder = newElement('span', name === 'anchor' ? { id: parameters.get('') ?? '' } : {});
  // What the policy does not allow is reported when the body is cleaned.
  rename(macro, holder);
  if ((name === 'widget' || name === 'iframe') && url !== undefined) replaceByPlayer(holder, url, notes);
  else if (name === 'status' || text !== '') link(holder, boldText('span', apart(holder, text)), null);
  else if (!generated.has(name))
    notes.report(`the macro "${name.slice(0, 60)}" of Confluence has no text. It was removed.`);
}

/** What Confluence shows in a box of its own is no part of the words beside it. */
function apart({ previous, next }: SourceNode, text: string): string {
  const [before, after] = [
    /[\p{L}\p{N}]$/u.test(previous?.text ?? ''),
    /^[\p{L}\p{N}]/u.test(next?.text ?? ''),
  ];
  return `${before ? ' ' : ''}${text}${after ? ' ' : ''}`;
}

function codeOf(body: SourceNode, language: string | null): SourceNode {
  const code = newElement('pre', language === null ? {} : { 'data-language': language });
  const renamed = rename(body, code);
  unlink(renamed);
  return renamed;
}

/** Removes the parameters, and returns them by name; the value of one that is a resource is its address, name or title. */
function takeParameters(macro: SourceNode): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const child of childrenOf(macro)) {
    if (child.name !== 'ac:parameter') continue;
    const resource = child.first === null ? null : resourceName(child.first);
    parameters.set(attribute(child, 'ac:name') ?? '', (resource ?? rawText(child, 2000)).trim());
    unlink(child);
  }
  return parameters;
}

/** A link to a page whose address is not known stays as its text, or as the title of the page. */
function rewriteLink(node: SourceNode): void {
  const body = childOf(node, 'ac:plain-text-link-body') ?? childOf(node, 'ac:link-body');
  const anchor = attribute(node, 'ac:anchor');
  const resource = resourceOf(node);
  const shown =
    resource === null && anchor !== null ? newElement('a', { href: `#${anchor}` }) : newElement('span');
  const isEmpty = showsNothing(node);
  moveContent(body ?? node, shown);
  if (isEmpty) link(shown, textNode((resource === null ? anchor : resourceName(resource)) ?? ''), null);
  rename(node, shown);
}

function rewriteImage(node: SourceNode): void {
  const resource = resourceOf(node);
  if (resource === null) return;
  const name = resourceName(resource) ?? '';
  unlink(resource);
  // The API has no address for an attachment of a page; the image is reported.
  const src = resource.name === 'ri:url' ? name : `attachment:${name}`;
  const alt = attribute(node, 'ac:alt') ?? attribute(node, 'ac:title') ?? '';
  const image = newElement('img', { src, alt });
  const caption = childOf(node, 'ac:caption');
  const shown = caption === null ? [image] : [image, rename(caption, newElement('figcaption'))];
  rename(node, newElement(caption === null ? 'span' : 'figure', {}, ...shown));
}

function resourceOf(node: SourceNode): SourceNode | null {
  return childrenOf(node).find(({ name }) => name.startsWith('ri:')) ?? null;
}

function resourceName(resource: SourceNode): string | null {
  return (
    attribute(resource, 'ri:value') ??
    attribute(resource, 'ri:content-title') ??
    attribute(resource, 'ri:filename')
  );
}

function childOf(node: SourceNode, name: string): SourceNode | null {
  return childrenOf(node).find((child) => child.name === name) ?? null;
}

const shownElements = new Set([
  'img',
  'iframe',
  'video',
  'audio',
  'math',
  'ac:image',
  'ac:structured-macro',
  'ac:macro',
]);

function showsNothing(node: SourceNode): boolean {
  const isShown = findBelow(node, ({ name }) => shownElements.has(name)) !== null;
  return !isShown && foldSpace(rawText(node)).trim() === '';
}

function remove(node: SourceNode | null): void {
  if (node !== null) unlink(node);
}
