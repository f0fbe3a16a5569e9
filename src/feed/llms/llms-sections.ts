import { lowerBound } from '../../foundation/lower-bound.ts';
import type { LanguageTag } from '../../foundation/model.ts';
import type { ArticlePage, CategoryNode, Plan, PlannedLanguage } from '../../plan/plan.ts';
import { categoryPath } from '../records/document-meta.ts';
import type { LlmsLink, LlmsSection } from './llms-txt.ts';

/** The articles of one top-level category, a section per category that holds any. */
export interface LlmsGroup {
  /** Category id; `null` for the articles without one. */
  readonly categoryId: string | null;
  readonly title: string;
  readonly sections: readonly LlmsSection[];
}

/** Name of the section of articles without a category. */
const unassigned = 'More articles';

/**
 * The articles of one language as `llms.txt` lists them: by category, in display order, a group made when it is asked for.
 * `openings` holds first words for articles without a description.
 */
export function* llmsGroups(
  plan: Plan,
  language: PlannedLanguage,
  openings: Pick<Openings, 'find'>,
): Generator<LlmsGroup> {
  const linksOf = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const page = plan.articles.get(id)?.pages.get(language.tag);
      return page === undefined ? [] : [articleLink(page, openings)];
    });
  for (const top of language.categories) {
    const sections = withDescendants(top).map((node) => ({
      name: categoryName(plan, language, node),
      links: linksOf(node.articleIds),
    }));
    const group = { categoryId: top.id, title: categoryName(plan, language, top), sections };
    if (hasLinks(group)) yield group;
  }
  const sections = [{ name: unassigned, links: linksOf(language.unassignedIds) }];
  const rest = { categoryId: null, title: unassigned, sections };
  if (hasLinks(rest)) yield rest;
}

function hasLinks({ sections }: LlmsGroup): boolean {
  return sections.some(({ links }) => links.length > 0);
}

const openingChars = 160;

/** The first words of a text on one line, for an article without a description. */
export function openingOf(text: string): string {
  const line = text
    .slice(0, 4 * openingChars)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line.length <= openingChars) return line;
  const cut = line.slice(0, openingChars);
  const space = cut.lastIndexOf(' ');
  return `${space > openingChars / 2 ? cut.slice(0, space) : cut.replace(/[\ud800-\udbff]$/, '')}…`;
}

function articleLink(page: ArticlePage, openings: Pick<Openings, 'find'>): LlmsLink {
  // First words are noted where the article has no description of its own.
  const description = openings.find(page.articleId, page.language) || (page.description ?? '');
  return { title: page.title, url: page.markdown.url, description };
}

/** A category that is not translated is called by its id: its title would be in another language. */
function categoryName(plan: Plan, language: PlannedLanguage, node: CategoryNode): string {
  return categoryPath(plan, language.tag, node.id).join(' / ') || node.page.title;
}

function withDescendants(node: CategoryNode): readonly CategoryNode[] {
  return [node, ...node.children.flatMap(withDescendants)];
}

/** First words of the articles without a description: noted while partitions are added, looked up in the end. */
export interface Openings {
  note(articleId: string, language: LanguageTag, words: string): void;
  /** Empty where none were noted. */
  find(articleId: string, language: LanguageTag): string;
}

/** All words are UTF-8 in one block: a large site would need several times the memory for as many strings. */
export function createOpenings(plan: Plan): Openings {
  let block = Buffer.alloc(1 << 12);
  let used = 0;
  const tables = new Map(
    plan.languages.map(({ tag, articleIds }) => [tag, createTable(articleIds)] as const),
  );
  return {
    note(articleId, language, words) {
      const table = tables.get(language);
      const at = table === undefined ? -1 : indexOf(table.articleIds, articleId);
      if (table === undefined || at < 0) throw new Error(`${articleId} has no planned page in ${language}`);
      const bytes = Buffer.byteLength(words);
      if (used + bytes > block.length) block = Buffer.concat([block], 2 * (used + bytes));
      block.write(words, used);
      table.offsets[at] = used;
      table.lengths[at] = bytes;
      used += bytes;
    },
    find(articleId, language) {
      const table = tables.get(language);
      const at = table === undefined ? -1 : indexOf(table.articleIds, articleId);
      const offset = table?.offsets[at] ?? 0;
      return block.toString('utf8', offset, offset + (table?.lengths[at] ?? 0));
    },
  };
}

/** Where the words of each article of one language are. */
function createTable(articleIds: readonly string[]) {
  const { length } = articleIds;
  return { articleIds, offsets: new Float64Array(length), lengths: new Uint16Array(length) };
}

/** In a sorted list; -1 where it is not. */
function indexOf(sorted: readonly string[], wanted: string): number {
  const index = lowerBound(sorted.length, (at) => (sorted[at] ?? '') < wanted);
  return sorted[index] === wanted ? index : -1;
}
