import { oncePerKey } from '../../core/concurrency.ts';
import { shorten } from '../../core/shorten.ts';
import type { ContentProblem, ContentSettings, Image, LinkResolution } from '../document.ts';
import { countSource, countText, shownText, Tally } from '../ledger.ts';
import type { SourceNode } from '../parse/source-tree.ts';
import { type CleanElement, type LinkDetail, oneLine } from './clean-tree.ts';
import type { TreeBuilder } from './tree-builder.ts';

/** A heading is cut to this length when a player or a table is named after it. */
const maxNameChars = 200;

/** Longest label of a landmark. */
const maxLabelChars = 120;

/** Shared state of the rules while one body is cleaned: settings, tree and problems. */
export class CleanContext {
  readonly settings: ContentSettings;
  readonly builder: TreeBuilder;
  /** Links that have content, in document order. */
  readonly linkDetails = new Set<LinkDetail>();
  readonly images: Image[] = [];
  /** Media files and their poster images. */
  readonly files: string[] = [];
  readonly headings: CleanElement[] = [];
  /** Whether the ends of lines in the text are line breaks, as in callouts written as `<pre>`. */
  keepsLines = false;
  /** What {@link keepsLines} was around an element that is open and changed it. */
  readonly outerLines = new Map<SourceNode, boolean>();
  /** What was removed with a problem. */
  readonly removed = { tally: new Tally(), texts: [] as string[] };
  /** Number of passages that lost a style which may carry meaning. */
  readonly droppedStyles = { coloured: 0, underlined: 0 };
  private readonly problemsByMessage = new Map<string, ContentProblem>();
  /** Calls the link resolver once per URL. */
  readonly resolveLink: (href: string) => LinkResolution;
  private readonly userClasses: ReadonlySet<string>;
  /** How often each label was requested, and every label that was assigned. */
  private readonly labelCounts = new Map<string, number>();
  private readonly labels = new Set<string>();
  private namedHeading: CleanElement | null = null;
  private headingName = '';

  constructor(settings: ContentSettings, builder: TreeBuilder) {
    this.settings = settings;
    this.builder = builder;
    this.resolveLink = oncePerKey((href) => settings.resolveLink(href));
    this.userClasses = new Set(settings.policy.classes);
  }

  /** Says whether the ends of lines in an element are line breaks. */
  setLines(node: SourceNode, keepsLines: boolean): void {
    if (!this.outerLines.has(node)) this.outerLines.set(node, this.keepsLines);
    this.keepsLines = keepsLines;
  }

  /** Reports a problem once, even if it occurs several times. */
  report(code: ContentProblem['code'], message: string): void {
    if (!this.problemsByMessage.has(message)) this.problemsByMessage.set(message, { code, message });
  }

  /** Reports that an element was removed with all its content. */
  drop(node: SourceNode): void {
    this.remove(node);
    // A drawing is no space: a credential that it takes apart must be found as one word.
    if (!node.kind.isInline) this.builder.addSpace(' ');
    this.report('ELEMENT_DROPPED', `<${node.name}> is not allowed. It was removed.`);
  }

  /** Notes that an element is not published, as a problem says. Returns what it holds. */
  remove(node: SourceNode): Tally {
    const tally = countSource(node, true);
    this.removed.tally.add(tally);
    this.removed.texts.push(node.name === '#text' ? node.text : shownText(node));
    return tally;
  }

  /** Notes that a text is published in another form: the marker of a callout as its kind. */
  removeText(text: string): void {
    countText(text, this.removed.tally);
    this.removed.texts.push(text);
  }

  get problems(): ContentProblem[] {
    return [...this.problemsByMessage.values()];
  }

  /** Text of the most recent heading, or `''`. It is cut if long, because every later table and player may be named after it. */
  nearestHeading(): string {
    const heading = this.headings.at(-1) ?? null;
    if (heading !== this.namedHeading) {
      this.namedHeading = heading;
      this.headingName = heading === null ? '' : shorten(oneLine(heading), maxNameChars);
    }
    return this.headingName;
  }

  /**
   * A label for a landmark (the region of a table, an aside) that no other landmark of the body has, because screen readers list landmarks
   * by name. A long label is cut; a duplicate gets a number.
   */
  uniqueLabel(wanted: string): string {
    const label =
      wanted.length > maxLabelChars ? `${shorten(wanted, maxLabelChars).slice(0, -1).trimEnd()}…` : wanted;
    let count = this.labelCounts.get(label) ?? 0;
    let unique = label;
    do {
      count += 1;
      unique = count === 1 ? label : `${label} (${count})`;
    } while (this.labels.has(unique));
    this.labelCounts.set(label, count);
    this.labels.add(unique);
    return unique;
  }

  isUserClass(name: string): boolean {
    return this.userClasses.has(name);
  }
}

/** An author's value, shortened for a message. */
export function quote(value: string): string {
  return JSON.stringify(shorten(value, 100));
}
