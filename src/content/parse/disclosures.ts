import {
  after,
  following,
  isAlone,
  isHidden,
  moveContent,
  newElement,
  nextElement,
  replace,
  setAttribute,
  shortText,
  textNode,
} from './edit-tree.ts';
import { attribute, link, type SourceNode, unlink } from './source-tree.ts';

/** Maximum number of nodes that are visited for one accordion or tab; real ones need fewer than ten. */
const maxSteps = 256;

/** A body without any of these has nothing to rewrite; most have none. */
const signs =
  /aria-(?:controls|expanded)|tabpanel|data-(?:bs-)?t(?:arget|oggle)|popovertarget|commandfor|tabs?[_-]{0,2}(?:content|pane)/i;

/** The content of a tab, which a script shows: `tab-pane`, `tabcontent`, `ui-tabs-panel`. */
const tabClass = /(?:^|[\s_-])tabs?[_-]{0,2}(?:content|pane|panel)(?:\s|$)/i;

/** Whether {@link rewriteDisclosures} may find anything. */
export function mayHaveDisclosures(body: string): boolean {
  return signs.test(body);
}

/**
 * Makes accordions and tabs work without the script they were written for. A trigger followed by the element it controls becomes
 * `<details>` with a summary; a tab panel becomes an open `<details>` with the label of its tab. Content that a trigger elsewhere controls
 * is marked as content, so that `display: none` does not remove it.
 * @param unwrap called for each element of which only the text is published, as a label
 */
export function rewriteDisclosures(root: SourceNode, unwrap: (node: SourceNode) => void): void {
  const { byId, controls, expanders, panels, links } = collect(root);
  const labels = new Map<SourceNode, SourceNode>();
  // Their triggers are hidden.
  const closed = new Set<SourceNode>();
  for (const tab of links) {
    const panel = byId.get(attribute(tab, 'href')?.slice(1) ?? '');
    if (panel !== undefined && tabClass.test(attribute(panel, 'class') ?? '') && isInSight(tab))
      disclose(panel);
  }
  for (const trigger of controls) {
    const target = byId.get(controlledId(trigger) ?? '');
    if (target === undefined || isWithin(trigger, target) || isWithin(target, trigger)) continue;
    if (isHidden(trigger) || isHidden(headOf(trigger))) {
      closed.add(target);
      continue;
    }
    disclose(target);
    labels.set(target, trigger);
    if (attribute(target, 'role') !== 'tabpanel') wrapAccordion(trigger, target);
  }
  for (const trigger of expanders) {
    const head = headOf(trigger);
    const target = nextElement(head);
    if (target === null || !isHidden(target) || isHidden(trigger) || isHidden(head)) continue;
    disclose(target);
    wrapAccordion(trigger, target);
  }
  for (const panel of panels) {
    if (closed.has(panel) && !labels.has(panel)) continue;
    disclose(panel);
    const label = byId.get(attribute(panel, 'aria-labelledby') ?? '') ?? labels.get(panel);
    if (label !== undefined) wrapPanel(panel, label, label === labels.get(panel));
  }
  // A label that no panel has stays.
  const used = new Set(panels.flatMap((panel) => labels.get(panel) ?? []));
  const gone = new Set<SourceNode>();
  for (const tab of used) {
    const list = tabsOf(tab, used);
    replace(list, textNode(' '));
    for (let at = tab; at !== list && at.parent !== null; at = at.parent) gone.add(at);
    gone.add(list);
  }
  gone.forEach(unwrap);
}

/** Shows a hidden element, whose text is no part of the words beside it. */
function disclose(node: SourceNode): void {
  node.isDisclosed = true;
  if (node.kind.isBlock || node.parent === null) return;
  link(node.parent, textNode(' '), node);
  link(node.parent, textNode(' '), node.next);
}

function collect(root: SourceNode) {
  const byId = new Map<string, SourceNode>();
  const controls: SourceNode[] = [];
  /** Triggers that name no element. */
  const expanders: SourceNode[] = [];
  const panels: SourceNode[] = [];
  /** Items of lists that are only a link into the body, as tabs are. */
  const links: SourceNode[] = [];
  for (let node = root.first; node !== null; ) {
    const at = node;
    // What is in a player is for browsers that have none.
    const isPlayer = at.name === 'video' || at.name === 'audio';
    node = isPlayer ? after(at, root) : following(at, root);
    if (isPlayer || at.attributes.length === 0) continue;
    const id = attribute(at, 'id');
    if (id !== null && !byId.has(id)) byId.set(id, at);
    if (controlledId(at) !== null) controls.push(at);
    else if (attribute(at, 'aria-expanded') !== null) expanders.push(at);
    if (attribute(at, 'role') === 'tabpanel') panels.push(at);
    if (attribute(at, 'href')?.startsWith('#') && at.parent?.name === 'li' && isAlone(at)) links.push(at);
  }
  return { byId, controls, expanders, panels, links };
}

/** Id of the element that a trigger shows and hides, from attributes of HTML, ARIA or Bootstrap. */
function controlledId(node: SourceNode): string | null {
  const controlled =
    attribute(node, 'aria-controls') ?? attribute(node, 'popovertarget') ?? attribute(node, 'commandfor');
  if (controlled !== null) return controlled.trim() || null;
  const toggle = attribute(node, 'data-toggle') ?? attribute(node, 'data-bs-toggle');
  if (toggle !== 'collapse' && toggle !== 'tab' && toggle !== 'pill') return null;
  const target =
    attribute(node, 'data-target') ?? attribute(node, 'data-bs-target') ?? attribute(node, 'href');
  return target?.startsWith('#') ? target.slice(1) : null;
}

function isInSight(node: SourceNode): boolean {
  for (let at: SourceNode | null = node; at !== null; at = at.parent) if (isHidden(at)) return false;
  return true;
}

/** Moves `trigger` (or the heading or block that contains only it) and the adjacent `target` into a `<details>`. */
export function wrapAccordion(trigger: SourceNode, target: SourceNode): void {
  const head = headOf(trigger, target.parent);
  if (head.parent === null || nextElement(head) !== target || isCode(head) || isHidden(head)) return;
  dropOwnLink(trigger);
  const summary = newElement('summary');
  const details = newElement('details', {}, summary);
  replace(head, details);
  unlink(target);
  // What means something besides being the title stays around it.
  if (/^(?:a|h[1-6]|img|del|s|strike|su[bp]|code|kbd|samp)$/.test(head.name)) link(summary, head, null);
  else {
    const id = attribute(head, 'id');
    if (id !== null) setAttribute(summary, 'id', id);
    moveContent(head, summary);
  }
  link(details, target, null);
}

/** The element that shows nothing but `node`, below `within` if that is given. */
function headOf(node: SourceNode, within: SourceNode | null = null): SourceNode {
  let head = node;
  while (head.parent?.parent && head.parent !== within && isAlone(head)) head = head.parent;
  return head;
}

const isCode = ({ name }: SourceNode): boolean => name === 'pre' || name === 'listing';

/** Removes a link in a summary to its own section: a click on it would not toggle the section. */
function dropOwnLink(trigger: SourceNode): void {
  const at = trigger.attributes.findIndex(({ name, value }) => name === 'href' && value.startsWith('#'));
  if (at >= 0) trigger.attributes.splice(at, 1);
}

/** @param isTab whether the label is a tab, which goes with its list */
function wrapPanel(panel: SourceNode, label: SourceNode, isTab: boolean): void {
  if (panel.parent === null || isWithin(label, panel)) return;
  const summary = newElement('summary');
  const details = newElement('details', { open: '' }, summary);
  replace(panel, details);
  if (isTab) moveContent(label, summary);
  else link(summary, textNode(shortText(label)), null);
  link(details, panel, null);
}

/** The tab list that contains a label, if all its text is labels; otherwise the tab, with its item. */
function tabsOf(tab: SourceNode, used: ReadonlySet<SourceNode>): SourceNode {
  const own = tab.parent?.name === 'li' && isAlone(tab) ? tab.parent : tab;
  let node = tab.parent;
  for (let step = 0; step < maxSteps && node !== null; step++) {
    if (attribute(node, 'role') === 'tablist') return holdsOnly(node, used) ? node : own;
    node = node.parent;
  }
  return own;
}

function holdsOnly(list: SourceNode, used: ReadonlySet<SourceNode>): boolean {
  for (let node = list.first; node !== null; node = following(node, list)) {
    const isText = node.name === '#text' && node.text.trim() !== '';
    if ((isText || node.name === 'img') && ![...used].some((tab) => isWithin(node, tab))) return false;
  }
  return true;
}

/** Whether `node` is in `ancestor`. Also `true` if `node` is nested too deep to check. */
function isWithin(node: SourceNode, ancestor: SourceNode): boolean {
  let at: SourceNode | null = node;
  for (let step = 0; step < maxSteps; step++) {
    if (at === null || at === ancestor) return at !== null;
    at = at.parent;
  }
  return true;
}
