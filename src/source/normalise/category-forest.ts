import { countOf } from '../../foundation/count-of.ts';
import type { Category } from '../../foundation/model.ts';
import { type Problem, problem } from '../../foundation/problems.ts';
import type { LooseCategory } from './category.ts';

export interface CategoryForest {
  /** Parents before children, siblings in display order. */
  readonly categories: readonly Category[];
  readonly problems: readonly Problem[];
}

/**
 * Puts categories into a forest: of two with one id the newer is kept, an orphan moves to the top level, and a loop is
 * cut at its smallest id. Siblings are sorted by `sort_order`; those without one follow in the order of the list.
 * Walks without recursion, since a tree may be as deep as it is large.
 */
export function buildForest(listed: readonly LooseCategory[]): CategoryForest {
  const problems: Problem[] = [];
  const byId = keepNewest(listed, problems);
  const parents = findParents(byId, problems);
  const children = new Map<string | null, LooseCategory[]>();
  for (const category of byId.values()) {
    const parentId = parents.get(category.id) ?? null;
    const siblings = children.get(parentId) ?? [];
    siblings.push(category);
    children.set(parentId, siblings);
  }
  for (const siblings of children.values()) {
    siblings.sort((a, b) => compareOrder(a.sortOrder, b.sortOrder));
  }
  return { categories: flatten(children, parents), problems };
}

function keepNewest(listed: readonly LooseCategory[], problems: Problem[]): Map<string, LooseCategory> {
  const byId = new Map<string, LooseCategory>();
  for (const category of listed) {
    const { id } = category;
    const other = byId.get(id);
    if (other === undefined) byId.set(id, category);
    else {
      problems.push(
        problem('DUPLICATE_ID', `the category ${id} is listed more than once`, { categoryId: id }),
      );
      if ((category.updatedAt ?? '') > (other.updatedAt ?? '')) byId.set(id, category);
    }
  }
  return byId;
}

function findParents(
  byId: ReadonlyMap<string, LooseCategory>,
  problems: Problem[],
): Map<string, string | null> {
  const parents = new Map<string, string | null>();
  for (const { id, parentId } of byId.values()) {
    const isOrphan = parentId !== null && !byId.has(parentId);
    if (isOrphan) {
      problems.push(
        problem(
          'CATEGORY_ORPHAN',
          `the parent ${JSON.stringify(parentId.slice(0, 80))} of ${id} does not exist`,
          {
            categoryId: id,
          },
        ),
      );
    }
    parents.set(id, isOrphan ? null : parentId);
  }
  for (const loop of findLoops(parents)) {
    const cut = loop.toSorted()[0] as string;
    parents.set(cut, null);
    problems.push(
      problem(
        'CATEGORY_CYCLE',
        `${cut} is its own ancestor, through ${countOf(loop.length, 'category', 'categories')}`,
        {
          categoryId: cut,
        },
      ),
    );
  }
  return parents;
}

function findLoops(parents: ReadonlyMap<string, string | null>): readonly (readonly string[])[] {
  const loops: string[][] = [];
  const finished = new Set<string>();
  for (const start of parents.keys()) {
    const path: string[] = [];
    const onPath = new Map<string, number>();
    let id: string | null = start;
    while (id !== null && !finished.has(id) && !onPath.has(id)) {
      onPath.set(id, path.length);
      path.push(id);
      id = parents.get(id) ?? null;
    }
    const entry = id === null ? undefined : onPath.get(id);
    if (entry !== undefined) loops.push(path.slice(entry));
    for (const passed of path) finished.add(passed);
  }
  return loops;
}

function flatten(
  children: ReadonlyMap<string | null, readonly LooseCategory[]>,
  parents: ReadonlyMap<string, string | null>,
): Category[] {
  const categories: Category[] = [];
  const waiting = [...(children.get(null) ?? [])].reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { id, icon, updatedAt, translations } = next;
    categories.push({ id, parentId: parents.get(id) ?? null, icon, updatedAt, translations });
    const below = children.get(id) ?? [];
    for (let index = below.length - 1; index >= 0; index -= 1) waiting.push(below[index] as LooseCategory);
  }
  return categories;
}

function compareOrder(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a - b;
}
