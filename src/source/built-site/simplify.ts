import { rewriteScripted } from '../../content/editors/rewrite-editors.ts';
import {
  boldText,
  findBelow,
  following,
  moveContent,
  newElement,
  nextElement,
  previousElement,
  replace,
  replaceByContent,
  setAttribute,
  textNode,
} from '../../content/parse/edit-tree.ts';
import { rawText } from '../../content/parse/raw-text.ts';
import { attribute, childrenOf, link, type SourceNode, unlink } from '../../content/parse/source-tree.ts';
import { decodePercent } from '../../core/addresses.ts';
import { oncePerKey } from '../../core/concurrency.ts';
import { calloutKinds } from '../folder/read-callout.ts';
import { isBelow, lineBelow, outermost, selector, textBelow } from './select.ts';
import { everyTheme, hiddenText, type SiteTheme } from './themes.ts';

/**
 * Changes the main text of a page into what an author would write: HTML that the content stage reads. What scripts and themes add is removed;
 * tabs are shown one below the other; callouts, code and formulas get the form that the content stage knows.
 * @param ignore a selector of the user, or `null`
 * @returns what was removed that an author may have written
 */
export function simplify(
  root: SourceNode,
  theme: SiteTheme | null,
  ignore: string | null,
): readonly SourceNode[] {
  for (const one of [ignore, '[data-lectern-ignore]', theme?.setsPagefind ? null : '[data-pagefind-ignore]'])
    if (one !== null) remove(root, one);
  showHidden(root);
  convertTabs(root, theme);
  const unscripted = selector('noscript').all(root);
  rewriteScripted(root);
  convertCode(root, theme);
  unwrapAsciidoc(root);
  convertCallouts(root, theme);
  separateClassifiers(root);
  if (theme?.ignore !== undefined) remove(root, theme.ignore);
  unwrapForm(root);
  removeDarkImages(root);
  showCellLabels(root);
  showNamedButtons(root);
  const removed = outermost(selector(everyTheme.ignore).all(root)).filter(mayBeText.matches);
  remove(root, everyTheme.ignore);
  convertHeadings(root);
  remove(root, 'svg:not(:has(text))');
  return [...unscripted, ...removed];
}

function remove(root: SourceNode, what: string): void {
  for (const node of selector(what).all(root)) unlink(node);
}

const asksReader = ['feedback', 'comment', 'contact', 'search', 'newsletter']
  .map((word) => `[class*=${word} i], [id*=${word} i]`)
  .concat(':has(textarea)')
  .join();

const mayBeText = selector(
  `:is(nav, form, template):not(${asksReader}, [class*=breadcrumb i], [id*=breadcrumb i], [aria-label*=breadcrumb i])`,
);

/** A form with the title of its page, or with text and no question to the reader. */
const wholePage = `form:has(h1), form:has(p, h2, h3, pre, table):not(${asksReader})`;

/** Some programs put a whole page into a form, whose fields the content stage removes. Another form is no text. */
function unwrapForm(root: SourceNode): void {
  const forms = selector(wholePage).all(root);
  const words = forms.length === 0 ? 0 : wordsBelow(root);
  for (const form of forms) if (wordsBelow(form) * 2 > words) replaceByContent(form);
}

const isLight = selector('.only-light, [src$="#only-light"], [src$="#gh-light-mode-only"]');

/** Removes the image for dark pages beside the one for light pages. */
function removeDarkImages(root: SourceNode): void {
  for (const dark of selector('.only-dark, [src$="#only-dark"], [src$="#gh-dark-mode-only"]').all(root)) {
    const beside = [previousElement(dark), nextElement(dark)];
    if (beside.some((node) => node !== null && isLight.matches(node))) unlink(dark);
  }
}

/** Shows the label of an icon that is all that a cell has. */
function showCellLabels(root: SourceNode): void {
  const labels = `${hiddenText}, svg:has(> title), :is(svg, [role=img])[aria-label]`;
  // The table of a layout has most of a page in one cell.
  const lineOf = oncePerKey(lineBelow);
  for (const node of selector(labels).all(root)) {
    let cell = node.parent;
    while (cell !== null && cell !== root && cell.name !== 'td' && cell.name !== 'th') cell = cell.parent;
    if (cell === null || cell === root) continue;
    if (lineOf(cell) !== lineBelow(node)) continue;
    replace(node, textNode(attribute(node, 'aria-label') ?? lineBelow(node)));
  }
}

const namedButton = selector('button:not([class*=copy i], [aria-label*=copy i], [title*=copy i])');

/**
 * Shows the text of a button that is a word of a sentence, or all of a heading. A sentence goes on after the button or ends there: one before the
 * button may ask whether a page helped.
 */
function showNamedButtons(root: SourceNode): void {
  for (const parent of selector(':is(p, li, dd, td):has(> button)').all(root)) {
    const children = childrenOf(parent);
    const firstText = children.findIndex(({ text }) => /\p{L}/u.test(text));
    let goesOn = false;
    for (const child of [...children].reverse()) {
      if (child.name !== 'button')
        goesOn ||= /[\p{L}\p{N}.,;:!?\u3001\u3002]/u.test(child.text + textBelow(child));
      else if (goesOn && firstText >= 0 && namedButton.matches(child)) replaceByContent(child);
    }
  }
  for (const button of selector(':is(h2, h3, h4, h5, h6) > button').all(root))
    if (lineBelow(button) === lineBelow(button.parent as SourceNode)) replaceByContent(button);
}

/** Shows what only a click or a script of the page shows: it is text that an author wrote. */
function showHidden(root: SourceNode): void {
  for (let node = root.first; node !== null; node = following(node, root)) {
    if (node.name === 'dialog') setAttribute(node, 'open', '');
    if (node.attributes.length === 0) continue;
    const shown = node.attributes.filter(
      ({ name, value }) =>
        name !== 'hidden' &&
        !(name === 'style' && /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(value)),
    );
    if (shown.length < node.attributes.length) node.attributes.splice(0, node.attributes.length, ...shown);
  }
}

function idOf(node: SourceNode): Readonly<Record<string, string>> {
  const id = attribute(node, 'id');
  return id === null ? {} : { id };
}

const languageName =
  /^(?:lang|language|highlight-source|highlight|brush|sourceCode)[-:]([a-z0-9+#._-]{1,30})$/i;
/** Pandoc and Hexo name the language after the class that they give every block. */
const secondName = {
  any: /(?:^|\s)sourceCode\s+([a-z][a-z0-9+#._-]*)/i,
  figure: /^highlight\s+([a-z][a-z0-9+#._-]*)/i,
};
const noLanguages = new Set(['default', 'none', 'plaintext', 'notranslate', 'text', 'txt', 'plain']);

/** Replaces each code block, with its title, its line numbers and its buttons, by a plain one. */
function convertCode(root: SourceNode, theme: SiteTheme | null): void {
  const box = [theme?.code?.box, everyTheme.code.box].filter(Boolean).join();
  const titles = theme?.code?.title ?? everyTheme.code.title;
  const boxes = new Set(selector(box).all(root));
  for (const pre of selector(everyTheme.code.pre).all(root)) {
    // A block around it was replaced together with it.
    if (!isBelow(pre, root)) continue;
    const outer = outermostBox(pre, boxes, root);
    const title = outer === pre ? null : selector(titles).first(outer);
    const shown = title === null || isBelow(title, pre) ? '' : lineBelow(title);
    const language = languageOf(pre, outer);
    remove(pre, everyTheme.codeIgnore);
    if (theme?.ignore !== undefined) remove(pre, theme.ignore);
    const code = newElement(
      'code',
      language === null ? {} : { class: `language-${language}` },
      // The parser removes the line break at the start of a `pre`.
      textNode(pre.name === 'pre' ? rawText(pre) : rawText(pre).replace(/^\n/, '')),
    );
    if (shown !== '' && outer.parent !== null) link(outer.parent, boldText('p', shown), outer);
    replace(outer, newElement('pre', idOf(outer), code));
  }
}

/** The largest box of code around a `pre` that has no other one with text. */
function outermostBox(pre: SourceNode, boxes: ReadonlySet<SourceNode>, root: SourceNode): SourceNode {
  let found = pre;
  for (let at = pre.parent; at !== null && at !== root; at = at.parent) {
    if (!boxes.has(at)) continue;
    const others = selector('pre')
      .all(at)
      .filter((one) => one !== pre && !isNumbers(one));
    if (others.length > 0) break;
    found = at;
  }
  return found;
}

/** Whether a `pre` has only the numbers of lines. */
function isNumbers(pre: SourceNode): boolean {
  return /^[\s\d]*$/.test(textBelow(pre));
}

function languageOf(pre: SourceNode, outer: SourceNode): string | null {
  if (/(?:^|\s)mermaid(?:\s|$)/.test(attribute(pre, 'class') ?? '')) return 'mermaid';
  const candidates = [selector('code').first(pre), pre];
  for (let at: SourceNode | null = pre; at !== outer && at !== null; at = at.parent)
    candidates.push(at.parent);
  for (const node of candidates) {
    if (node === null) continue;
    const named = attribute(node, 'data-language') ?? attribute(node, 'data-lang');
    const second = node.name === 'figure' ? secondName.figure : secondName.any;
    const classes = (attribute(node, 'class') ?? '').replace(second, ' language-$1').split(/\s+/);
    for (const name of [...(named === null ? [] : [`language-${named}`]), ...classes]) {
      const language = languageName.exec(name)?.[1]?.toLowerCase();
      if (language !== undefined) return noLanguages.has(language) ? null : language;
    }
  }
  return null;
}

/** Shows the panels of tabs one below the other, each with its label. */
function convertTabs(root: SourceNode, theme: SiteTheme | null): void {
  const shown = new Set<SourceNode>();
  const isNew = (node: SourceNode): boolean => !shown.has(node);
  const show = (labels: readonly SourceNode[], panels: readonly SourceNode[]): void => {
    const texts = labels.map((one) => lineBelow(one) || attribute(one, 'data-title') || '');
    panels.forEach((panel, at) => {
      const text = texts[at] ?? '';
      if (text !== '' && panel.parent !== null) link(panel.parent, boldText('p', text), panel);
      const kept = panel.attributes.filter(({ name }) => !['hidden', 'style', 'role'].includes(name));
      panel.attributes.splice(0, panel.attributes.length, ...kept);
      shown.add(panel);
    });
    for (const one of labels) {
      shown.add(one);
      unlink(one);
    }
  };
  for (const { box, label: labels, panel } of [
    everyTheme.tabs,
    ...(theme?.tabs === undefined ? [] : [theme.tabs]),
  ]) {
    // The innermost groups first, so that a group has only its own labels and panels.
    for (const group of [...selector(box).all(root)].reverse()) {
      show(selector(labels).all(group).filter(isNew), selector(panel).all(group).filter(isNew));
    }
  }
  for (const list of [...selector('[role=tablist]').all(root)].reverse()) {
    const tabs = selector('[role=tab]').all(list);
    const isOwn = (panel: SourceNode): boolean => {
      const named = attribute(panel, 'aria-labelledby');
      return isNew(panel) && (named === null || tabs.some((tab) => attribute(tab, 'id') === named));
    };
    let panels: readonly SourceNode[] = [];
    for (let at = list.parent; at !== null && panels.length === 0; at = at === root ? null : at.parent) {
      const all = selector('[role=tablist], [role=tabpanel]').all(at);
      const after = all.slice(all.indexOf(list) + 1).filter((one) => attribute(one, 'role') === 'tabpanel');
      // Panels without a name are those of the tabs before them.
      panels = after.filter(isOwn).slice(0, tabs.length);
    }
    if (panels.length === 0) continue;
    show(tabs, panels);
    unlink(list);
  }
}

/** Asciidoctor writes the icon of an admonition, which is its kind, and its text into the cells of a table. Icons say what is done in a list. */
function unwrapAsciidoc(root: SourceNode): void {
  for (const icon of selector('.checklist i.fa:is(.fa-check-square-o, .fa-square-o):empty').all(root))
    replace(icon, textNode((attribute(icon, 'class') ?? '').includes('check') ? '\u2611' : '\u2610'));
  for (const table of selector('.admonitionblock > table').all(root)) {
    const text = selector('td.content').first(table);
    if (text !== null) {
      unlink(text);
      replace(table, text);
      replaceByContent(text);
    }
  }
}

/** Words of classes that name a box of any kind. */
const anyBox = new Set(['hint', 'note', 'admonition', 'alert', 'callout', 'theme', 'aside', 'book']);

/** Elements that may be a callout. Another one, such as a cell, only has the name of one. */
const isBox = /^(?:div|aside|section|article|blockquote|figure|p|dl|[a-z]+-.*)$/;

function convertCallouts(root: SourceNode, theme: SiteTheme | null): void {
  const boxes = [theme?.callouts?.box, everyTheme.callouts.box].filter(Boolean).join();
  const isTitle = selector([theme?.callouts?.title, everyTheme.callouts.title].filter(Boolean).join());
  for (const box of [...selector(boxes).all(root)].reverse()) {
    if (!isBox.test(box.name)) continue;
    // Behind other text, it would be the title of something in the box.
    const first = findBelow(box, (node) => isTitle.matches(node) || /\S/.test(node.text));
    const title = first?.name === '#text' ? null : first;
    const text = title === null ? '' : lineBelow(title);
    if (title !== null) unlink(title);
    const made = newElement('div', {
      class: `callout callout-${kindOf(box, theme?.callouts?.kinds)}`,
      ...idOf(box),
    });
    if (text !== '') {
      const shown = boldText('p', text);
      // The text of a title without links is on one line.
      if (title !== null && selector('a[href]').first(title) !== null) {
        const bold = newElement('strong', {});
        moveContent(title, bold);
        replace(shown.first as SourceNode, bold);
      }
      link(made, shown, null);
    }
    moveContent(box, made);
    replace(box, made);
  }
}

function kindOf(box: SourceNode, own: Readonly<Record<string, string>> = {}): string {
  const wordsOf = (names: readonly string[]): readonly string[] =>
    names
      .map((name) => attribute(box, name))
      .join(' ')
      .toLowerCase()
      .split(/[^a-z]+/);
  const all = wordsOf(['data-callout', 'data-callout-type', 'data-type', 'class']);
  const named = [...all, ...wordsOf(['style'])].find((word) => Object.hasOwn(own, word));
  if (named !== undefined) return own[named] ?? 'note';
  const words = all.filter((word) => calloutKinds.has(word));
  const word = words.find((one) => !anyBox.has(one)) ?? words.find((one) => one === 'note') ?? words[0];
  return calloutKinds.get(word ?? '') ?? 'note';
}

/** Docutils leaves the colon between a term and its type to the style sheet; older releases write it themselves. */
function separateClassifiers(root: SourceNode): void {
  for (const node of selector('dt > .classifier').all(root)) {
    const before = previousElement(node);
    if (before === null || `${before.text}${lineBelow(before)}`.trimEnd().endsWith(':')) continue;
    link(node.parent as SourceNode, textNode(' : '), node);
  }
}

/**
 * Removes the link to a heading that is beside its text; a link to itself around a part of the text is unwrapped. A heading gets the id of its
 * section, by which other pages link to it.
 */
function convertHeadings(root: SourceNode): void {
  for (const heading of selector('h1, h2, h3, h4, h5, h6').all(root)) {
    let targets: ReadonlySet<string> | null = null;
    // Until a link is removed, the text of the heading is the same.
    let line: string | null = null;
    const cut = (anchor: SourceNode): void => {
      unlink(anchor);
      line = null;
    };
    for (const anchor of selector('a[href*="#"], a[aria-hidden=true]').all(heading)) {
      const own = lineBelow(anchor);
      const url = attribute(anchor, 'href') ?? '';
      const isIcon = attribute(anchor, 'aria-hidden') === 'true';
      if (!isIcon && !url.startsWith('#')) {
        if (/^[^\p{L}\p{N}]+$/u.test(own)) cut(anchor);
        continue;
      }
      line ??= lineBelow(heading);
      if (own === line && /\p{L}|\p{N}/u.test(own)) {
        const id = attribute(anchor, 'id');
        if (id !== null && attribute(heading, 'id') === null)
          heading.attributes.push({ name: 'id', value: id });
        replaceByContent(anchor);
        continue;
      }
      targets ??= targetsOf(heading);
      if (isIcon || !/\p{L}|\p{N}/u.test(own) || (leadsToTop.test(url) && !isFirst(anchor))) cut(anchor);
      else if (targets.has(decodePercent(url.slice(1)))) {
        if (isPermalink(anchor)) cut(anchor);
        else replaceByContent(anchor);
        // A number that leads elsewhere is the mark of a footnote.
      } else if (!/\p{L}/u.test(own)) cut(anchor);
    }
    const { parent } = heading;
    if (attribute(heading, 'id') !== null || parent === null || parent === root || !isFirst(heading))
      continue;
    const at = parent.attributes.findIndex(({ name }) => name === 'id');
    if (at !== -1) heading.attributes.push(...parent.attributes.splice(at, 1));
  }
}

/** A link beside the text of a heading to the start of the page, or to the list of its sections. */
const leadsToTop = /^#(?:_?(?:page-?)?top|toc|contents?)?$/i;

/** The fragments of URLs that lead to a heading: the ids in it, of the section around it, and of the empty element before it. */
function targetsOf(heading: SourceNode): ReadonlySet<string> {
  const before = previousElement(heading);
  const nodes = [heading, ...selector('[id], [name]').all(heading)];
  if (before !== null && lineBelow(before) === '') nodes.push(before);
  for (let at = heading.parent; at !== null; at = at.parent) nodes.push(at);
  return new Set(nodes.flatMap((node) => ['id', 'name'].map((name) => attribute(node, name) ?? '')));
}

/** Texts of links to a heading beside it, such as "Copy link" and "Direct link to Oil". */
const permalinkText =
  /^(?:(?:copy|direct|permanent|section|heading) )*(?:(?:perma)?link|anchor)(?: (?:to|for) .*)?$/i;

/** Whether a link to its own heading is named as one, instead of being a part of its text. */
function isPermalink(anchor: SourceNode): boolean {
  const names = ['class', 'title', 'aria-label'].map((name) => attribute(anchor, name));
  return /anchor|link|perma/i.test(names.join(' ')) || permalinkText.test(lineBelow(anchor));
}

/** Whether nothing but white space and empty elements precede a node in its parent. */
function isFirst(node: SourceNode): boolean {
  return node.parent === null || isAtStart(node, node.parent);
}

/** Whether no text of `root` precedes a node. */
export function isAtStart(node: SourceNode, root: SourceNode): boolean {
  return findBelow(root, (one) => one === node || /\S/.test(one.text)) === node;
}

/** Number of words below a node. */
export function wordsBelow(root: SourceNode): number {
  let words = 0;
  for (let node = root.first; node !== null; node = following(node, root)) {
    if (node.text !== '') words += node.text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  }
  return words;
}
