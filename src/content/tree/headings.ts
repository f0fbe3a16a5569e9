import { slugify } from '../../core/slug.ts';
import type { ContentSettings, Heading } from '../document.ts';
import { pageIds } from '../policy/ids.ts';
import { CleanElement, oneLine } from './clean-tree.ts';

/** Headings of a body and all other ids of its page. */
export interface AssignedHeadings {
  readonly headings: readonly Heading[];
  readonly anchors: readonly string[];
  /** All ids of the page: of headings, of other anchors and of the theme. */
  readonly ids: ReadonlySet<string>;
}

/**
 * Decides the level and id of every heading, and which of the author's ids are published. Levels form an outline below the page's only h1
 * (starting at 2, no level skipped). The id comes from the heading of the source language at the same position if there is one, else from
 * the text. Other ids of a heading (the slug of a translation, the author's id) become aliases.
 * @param keepsIds `ContentSettings.keepsIds`: ids are those of the page itself, and no others
 */
export function assignHeadingIds(
  elements: readonly CleanElement[],
  anchored: readonly CleanElement[],
  { sourceHeadingIds: sourceIds, keepsIds = false }: Pick<ContentSettings, 'sourceHeadingIds' | 'keepsIds'>,
): AssignedHeadings {
  const levels = outline(elements.map((element) => Number(element.tag.charAt(1))));
  const ids = new UniqueIds(keepsIds ? [] : pageIds);
  const headings = elements.map((element, index): Heading => {
    const text = detach(oneLine(element));
    const own = element.id ?? '';
    const id = keepsIds
      ? ids.takeExactly(own)
        ? own
        : ''
      : ids.take(sourceIds?.[index] ?? (slugify(text) || 'section'));
    return { level: levels[index] ?? 2, id, text };
  });
  const aliases: string[] = [];
  headings.forEach((heading, index) => {
    const { level, id, text } = heading;
    const element = elements[index] as CleanElement;
    const wanted = keepsIds ? [] : [sourceIds === null ? '' : slugify(text), element.id ?? ''];
    element.rename(`h${level}`);
    element.id = id || null;
    element.detail = { kind: 'heading', heading };
    for (const alias of wanted.reverse()) {
      if (alias === '' || !ids.takeExactly(alias)) continue;
      element.children.unshift(anchor(alias));
      aliases.push(alias);
    }
  });
  const isHeading = new Set(elements);
  for (const element of anchored) {
    if (isHeading.has(element) || element.id === null) continue;
    if (ids.takeExactly(element.id)) aliases.push(element.id);
    else element.id = null;
  }
  return { headings, anchors: aliases, ids: ids.taken };
}

/** Copies a text. A slice would keep the whole body in memory as long as the outline of the page. */
function detach(text: string): string {
  return ` ${text}`.slice(1);
}

/** Depth of each heading in the outline the author's levels imply, 2–6. */
function outline(levels: readonly number[]): number[] {
  const open: number[] = [];
  return levels.map((level) => {
    while (open.length > 0 && (open.at(-1) as number) >= level) open.pop();
    open.push(level);
    return Math.min(open.length + 1, 6);
  });
}

class UniqueIds {
  readonly taken: Set<string>;
  private readonly next = new Map<string, number>();

  constructor(taken: readonly string[]) {
    this.taken = new Set(taken);
  }

  takeExactly(id: string): boolean {
    if (this.taken.has(id)) return false;
    this.taken.add(id);
    return true;
  }

  /** The id, with a number if it is already used. */
  take(wanted: string): string {
    let id = wanted;
    let number = this.next.get(wanted) ?? 2;
    while (!this.takeExactly(id)) id = `${wanted}-${number++}`;
    this.next.set(wanted, number);
    return id;
  }
}

function anchor(id: string): CleanElement {
  const element = new CleanElement('span');
  element.id = id;
  return element;
}
