import { stripInvisible } from '../../foundation/invisible.ts';
import { lowerBound } from '../../foundation/lower-bound.ts';
import type { LanguageTag } from '../../foundation/model.ts';
import type { ArticlePage, CategoryNode, Plan, PlannedLanguage } from '../../plan/plan.ts';
import { categoryPath } from '../records/document-meta.ts';

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

/** First words of the articles without a description: noted while partitions are added, read in the end. */
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

/** A link of an `llms.txt`. */
export interface LlmsLink {
  readonly title: string;
  readonly url: string;
  /** One line; empty for none. */
  readonly description: string;
}

export interface LlmsSection {
  readonly name: string;
  readonly links: readonly LlmsLink[];
}

/** One `llms.txt`. */
export interface LlmsFile {
  readonly title: string;
  readonly summary: string;
  /** At least one paragraph: without one the reference parser loses the summary. */
  readonly paragraphs: readonly string[];
  readonly sections: readonly LlmsSection[];
  /** The last section; what a client short of space may skip. */
  readonly optional: readonly LlmsLink[];
}

const optionalName = 'Optional';

/**
 * Writes an `llms.txt` that the reference parser reads back exactly: line feeds alone, nothing but links in a section,
 * no brackets in titles, no parentheses in addresses, unique section names, `## Optional` last. Empty sections go.
 */
export function formatLlmsTxt(file: LlmsFile): string {
  const names = new Set([optionalName]);
  const sections = file.sections
    .filter(({ links }) => links.length > 0)
    .map((section) => ({ name: uniqueName(names, section.name), links: section.links }));
  const optional = file.optional.length === 0 ? [] : [{ name: optionalName, links: file.optional }];
  const parts = [
    `# ${plainLine(file.title)}`,
    `> ${plainLine(file.summary)}`,
    ...file.paragraphs.map(plainLine),
    ...[...sections, ...optional].map(
      ({ name, links }) => `## ${name}\n\n${links.map(formatLink).join('\n')}`,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** One line of a section. */
export function formatLink({ title, url, description }: LlmsLink): string {
  const text = plainLine(description);
  return `- [${safeTitle(title)}](${safeUrl(url)})${text === '' ? '' : `: ${text}`}`;
}

/** A title as the file spells it: the reference parser cannot read brackets, not even escaped ones. */
export function safeTitle(title: string): string {
  return plainLine(title.replaceAll('[', '(').replaceAll(']', ')')) || '(untitled)';
}

/** An address as the file spells it: the reference parser ends it at the first parenthesis. */
export function safeUrl(url: string): string {
  return url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(/\s/g, '%20');
}

/** A section name as the file spells it, before it is made unique. */
export function safeName(name: string): string {
  return plainLine(name).replace(/^#+\s*/, '') || '(untitled)';
}

function uniqueName(names: Set<string>, wanted: string): string {
  const name = safeName(wanted);
  let unique = name;
  for (let number = 2; names.has(unique); number += 1) unique = `${name} (${number})`;
  names.add(unique);
  return unique;
}

/** Folds white space, so that no text can start a line of its own, and drops what nobody sees. */
function plainLine(text: string): string {
  return stripInvisible(text.replaceAll(/[\s\u0085]+/g, ' ')).trim();
}
