import { gitHubId, slugify } from '../../core/slug.ts';
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
 * (starting at 2, no level skipped). The id is that of the same heading in the source language ({@link matchHeadings}) if there is one, else it comes
 * from the text. Other ids of a heading (the slug of a translation, the id of GitHub, the author's id) become aliases.
 * @param keepsIds `ContentSettings.keepsIds`: ids are those of the page itself, and no others
 */
export function assignHeadingIds(
  elements: readonly CleanElement[],
  anchored: readonly CleanElement[],
  {
    sourceHeadingIds: sourceIds,
    keepsIds = false,
    hasGitHubIds = false,
  }: Pick<ContentSettings, 'sourceHeadingIds' | 'keepsIds' | 'hasGitHubIds'>,
): AssignedHeadings {
  const levels = outline(elements.map((element) => Number(element.tag.charAt(1))));
  const ids = new UniqueIds(keepsIds ? [] : pageIds);
  const sameIds = matchHeadings(
    elements.map(({ id }) => id ?? ''),
    sourceIds ?? [],
  );
  const headings = elements.map((element, index): Heading => {
    const text = detach(oneLine(element));
    const own = element.id ?? '';
    const id = keepsIds
      ? ids.takeExactly(own)
        ? own
        : ''
      : ids.take(sameIds[index] ?? (slugify(text) || 'section'));
    return { level: levels[index] ?? 2, id, text };
  });
  const aliases: string[] = [];
  const gitHubIds = hasGitHubIds ? gitHubIdsOf(headings) : [];
  headings.forEach((heading, index) => {
    const { level, id, text } = heading;
    const element = elements[index] as CleanElement;
    const wanted = keepsIds
      ? []
      : [sourceIds === null ? '' : slugify(text), gitHubIds[index] ?? '', element.id ?? ''];
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

/** Several headings with one text have a number from the second on. */
function gitHubIdsOf(headings: readonly Pick<Heading, 'text'>[]): readonly string[] {
  const counts = new Map<string, number>();
  return headings.map(({ text }) => {
    const id = gitHubId(text);
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count === 0 || id === '' ? id : `${id}-${count}`;
  });
}

/**
 * The id of the same heading in the source language, for each heading of a translation; absent if there is none. Headings for which the author wrote an
 * id of the source are the same, and then those between them if they are as many as in the source. Without such ids, only the position is known.
 * @param own ids of the author, or `''`
 */
function matchHeadings(own: readonly string[], source: readonly string[]): readonly (string | undefined)[] {
  const places = new Map(source.map((id, at) => [id, at]));
  const same = own.map((id) => (places.has(id) ? id : undefined));
  if (same.every((id) => id === undefined)) return source;
  let [start, sourceStart] = [0, 0];
  for (let end = 0; end <= own.length; end += 1) {
    const sourceEnd = end === own.length ? source.length : (places.get(own[end] ?? '') ?? -1);
    if (sourceEnd < sourceStart) continue;
    if (end - start === sourceEnd - sourceStart)
      for (let at = start; at < end; at += 1) same[at] ??= source[sourceStart + at - start];
    [start, sourceStart] = [end + 1, sourceEnd + 1];
  }
  return same;
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
