import type { PageVisibility } from './page-fields.ts';
import { titleOfName } from './page-path.ts';
import type { Page } from './read-page.ts';

/** A page with its id and whether it is public. */
export interface PlainArticle {
  readonly id: string;
  /** The default language first. */
  readonly pages: readonly Page[];
  readonly visibility: ReadonlyMap<Page, PageVisibility>;
  /** An index without text says something of its folder only. */
  readonly isEmpty: boolean;
}

/** `a/b` → `a/b`, `a`, and the top. */
export function ancestors(folder: string): readonly string[] {
  if (folder === '') return [''];
  const parts = folder.split('/');
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join('/')), ''];
}

/** The title of a page; of an index without one, the name of its folder. */
export function titleOf({ title, name, folder, isIndex }: Page): string {
  const folderName = folder.split('/').at(-1) ?? '';
  return title ?? titleOfName(isIndex && folderName !== '' ? folderName : name);
}
