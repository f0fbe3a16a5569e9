import { type Problem, problem } from '../../../core/problems.ts';
import type { Navigation, NavigationItem } from '../project/navigation.ts';
import { readTextInside } from '../safe-files.ts';
import type { PlainArticle } from './find-articles.ts';
import type { Page } from './load-pages.ts';
import { orderField, textField } from './page-fields.ts';

/** A page with those that name it as their parent. */
interface Family {
  readonly page: Page;
  readonly title: string;
  readonly children: Family[];
  parent: Family | null;
}

/** Maximum number of pages with one title that are compared, so that the time does not grow with the square of their number. */
const maxCandidates = 50;

/**
 * The navigation of pages that name their parents by title, as the Jekyll theme Just the Docs does: `parent`, and `grand_parent` or `ancestor` if
 * several pages have that title. A page with children is a section that begins with itself. `null` if no page names a parent.
 * @param file the configuration of the project
 */
export function readParents(
  articles: readonly PlainArticle[],
  file: string,
  root: string,
): { readonly navigation: Navigation; readonly problems: readonly Problem[] } | null {
  const families = articles.flatMap(({ pages: [page] }): Family[] => {
    const title = page === undefined ? null : textField(page.data, 'title');
    const isShown = page !== undefined && title !== null && page.data.nav_exclude !== true;
    return isShown ? [{ page, title, children: [], parent: null }] : [];
  });
  if (!families.some(({ page }) => textField(page.data, 'parent') !== null)) return null;
  const byTitle = new Map<string, Family[]>();
  for (const family of families) {
    const known = byTitle.get(family.title);
    if (known === undefined) byTitle.set(family.title, [family]);
    else if (known.length < maxCandidates) known.push(family);
  }
  const problems: Problem[] = [];
  for (const family of families) {
    const wanted = textField(family.page.data, 'parent');
    if (wanted === null) continue;
    const parent = chooseParent(family, byTitle.get(wanted) ?? []);
    if (parent === null) problems.push(describeUnknown(family.page, wanted, root));
    else {
      family.parent = parent;
      parent.children.push(family);
    }
  }
  const items = toItems(families.filter(({ parent }) => parent === null));
  return { navigation: { items, refs: 'file', file, isComplete: true }, problems };
}

/** Chooses from the pages with the title of the parent: one with the right parent or ancestor, else the nearest in the tree of folders. */
function chooseParent({ page }: Family, candidates: readonly Family[]): Family | null {
  const grand = textField(page.data, 'grand_parent');
  const ancestor = textField(page.data, 'ancestor');
  const fits = (one: Family): boolean => {
    const own = [textField(one.page.data, 'parent'), textField(one.page.data, 'grand_parent')];
    return (grand === null || own[0] === grand) && (ancestor === null || own.includes(ancestor));
  };
  const others = candidates.filter((one) => one.page !== page);
  const fitting = others.filter(fits);
  const [nearest = null] = (fitting.length > 0 ? fitting : others).toSorted(
    (a, b) => sharedLength(b.page.folder, page.folder) - sharedLength(a.page.folder, page.folder),
  );
  return nearest;
}

function sharedLength(a: string, b: string): number {
  const [first, second] = [a.split('/'), b.split('/')];
  const end = first.findIndex((part, at) => part !== second[at]);
  return end === -1 ? first.length : end;
}

/** Pages that are each other's parents are in no section, and so are not listed. */
function toItems(families: readonly Family[]): readonly NavigationItem[] {
  return families.toSorted(compareFamilies).map(({ page, title, children }): NavigationItem => {
    const own: NavigationItem = { kind: 'page', ref: page.pathInTree, title: null, titles: {} };
    return children.length === 0
      ? own
      : { kind: 'section', title, titles: {}, items: [own, ...toItems(children)] };
  });
}

/** Sorts pages with a number first, by it, and the others by title. */
function compareFamilies(a: Family, b: Family): number {
  const [first, second] = [orderField(a.page.data), orderField(b.page.data)];
  if (first !== second) return (first ?? Number.MAX_VALUE) - (second ?? Number.MAX_VALUE);
  return a.title.localeCompare(b.title, 'en');
}

function describeUnknown({ path }: Page, parent: string, root: string): Problem {
  const at = readTextInside(root, path)
    .split('\n')
    .findIndex((line) => line.startsWith('parent:'));
  return problem(
    'NAVIGATION_UNKNOWN',
    `the page names ${JSON.stringify(parent)} as its parent, which is the title of no page`,
    {
      file: path,
      line: at === -1 ? null : at + 1,
    },
  );
}
