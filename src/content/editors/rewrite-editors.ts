import { getOrMake } from '../../core/group-by.ts';
import { following, isHidden } from '../parse/edit-tree.ts';
import { htmlNamespace, type SourceNode } from '../parse/source-tree.ts';
import { accordionRules } from './accordions.ts';
import { calloutRules } from './callouts.ts';
import { codeRules } from './code.ts';
import { confluenceRules } from './confluence.ts';
import { applies, classesOf, type EditorRule, type RewriteNotes } from './editor-rule.ts';
import { blockRule, figureRules, separateFromText } from './figures.ts';
import { formulaRules } from './formulas.ts';
import { headingRule, permalinkRule } from './headings.ts';
import { lazyImageRules } from './lazy-images.ts';
import { listRules } from './lists.ts';
import { playerRules } from './players.ts';
import { quillRules } from './quill.ts';
import { redirectRule } from './redirects.ts';
import { reviewRules } from './reviews.ts';
import { rubyRule } from './ruby.ts';
import { symbolRule } from './symbols.ts';

/** All rules, in the order in which they are applied to an element. */
export const editorRules: readonly EditorRule[] = [
  ...confluenceRules,
  ...playerRules,
  ...accordionRules,
  ...calloutRules,
  ...quillRules,
  ...listRules,
  ...lazyImageRules,
  ...figureRules,
  ...formulaRules,
  ...codeRules,
  headingRule,
  permalinkRule,
  blockRule,
  rubyRule,
  symbolRule,
  redirectRule,
  ...reviewRules,
];

/** Rules for every element, and all rules for those that some are only for, by name. */
interface RuleIndex {
  readonly everywhere: readonly EditorRule[];
  readonly byName: ReadonlyMap<string, readonly EditorRule[]>;
}

const all = indexRules(editorRules);
const scripted = indexRules([...lazyImageRules, ...formulaRules]);

/** Rules that also apply to hidden elements, because a script shows them. */
const showing: ReadonlySet<EditorRule> = new Set([...accordionRules, ...lazyImageRules]);

function indexRules(rules: readonly EditorRule[]): RuleIndex {
  const everywhere = rules.filter(({ on }) => on === undefined);
  const byName = new Map<string, EditorRule[]>();
  for (const rule of rules)
    for (const name of rule.on?.split(' ') ?? []) getOrMake(byName, name, () => []).push(rule);
  for (const own of byName.values()) own.push(...everywhere);
  return { everywhere, byName };
}

/** A body without any of these has nothing to rewrite. */
const signs =
  /class=|style=|face=|role=|data-|math\/tex|gist\.github|google\.com\/url|safelinks|#cmnt|#_msocom|<(?:iframe|video|noscript|oembed|rt|ac:|lite-|wistia-)|-video/;

/** Whether {@link rewriteEditors} may find anything. Editors write lower-case names. */
export function mayHaveEditorMarkup(body: string): boolean {
  return signs.test(body);
}

/**
 * Turns what editors write in their own way (lists as paragraphs, captions as spans, players as elements of a script) into plain HTML. Runs
 * before the body is cleaned, so that everything it makes passes the policy.
 */
export function rewriteEditors(root: SourceNode, notes: RewriteNotes): void {
  applyRules(root, all, notes);
  for (let node = root.first; node !== null; node = following(node, root)) {
    if (node.name === 'iframe' || node.name === 'video') separateFromText(node, 'div');
  }
}

/** Turns only formulas and images that a script shows into plain HTML, in a page of which the rest is read in another way. */
export function rewriteScripted(root: SourceNode): void {
  applyRules(root, scripted, { report() {}, remove() {}, unwrap() {} });
}

function applyRules(root: SourceNode, { everywhere, byName }: RuleIndex, notes: RewriteNotes): void {
  // The list is made first, because rules move nodes.
  const nodes: SourceNode[] = [];
  for (let node = root.first; node !== null; node = following(node, root)) {
    if (node.namespace === htmlNamespace && (node.attributes.length > 0 || byName.has(node.name)))
      nodes.push(node);
  }
  for (const node of nodes) {
    const classes = classesOf(node);
    for (const rule of byName.get(node.name) ?? everywhere) {
      // An earlier rule has replaced the element.
      if (node.parent === null) break;
      if (!applies(rule, node, classes)) continue;
      // What an author hid is removed as it is, unless a script shows it.
      if (showing.has(rule) || !isHidden(node)) rule.rewrite(node, notes);
    }
  }
}
