import type { Article, ArticleTranslation, LanguageTag } from '../../foundation/model.ts';
import { packFields, readField } from '../../foundation/packed-fields.ts';
import type { Problem } from '../../foundation/problems.ts';
import { createSpillFile, type SpillFile } from '../../foundation/spill-file.ts';
import { StoredList } from '../../foundation/stored-map.ts';
import type { BodyRange, StoredArticle } from './format.ts';

/**
 * The articles of a snapshot, with their texts in a spill file. Only ids, languages and positions are in memory, so that a run can hold
 * hundreds of thousands. An article reads a field when it is asked for it. Because the fields are getters, a spread (`{ ...article }`) does
 * not copy them.
 */
export class PackedArticles {
  private readonly articles: PackedStoredArticle[] = [];
  /** Lists of languages by their JSON: most articles have the same. */
  private readonly languages = new Map<string, readonly LanguageTag[]>();
  private readonly texts: StoredList;

  /** @param spill absent: the texts stay in memory */
  constructor(spill = createSpillFile(null)) {
    this.texts = new StoredList(spill);
  }

  /** @returns the same article, packed */
  add(stored: StoredArticle): StoredArticle {
    const { id, translations } = stored.article;
    const tags = translations.map(({ language }) => language);
    const key = JSON.stringify(tags);
    const languages = this.languages.get(key) ?? tags;
    this.languages.set(key, languages);
    const index = this.texts.addAll([packArticle(stored), ...translations.map(packTranslation)]);
    const packed = new PackedStoredArticle(new PackedArticle(id, this.texts, index, languages));
    this.articles.push(packed);
    return packed;
  }

  /** In the order in which they were added. */
  list(): readonly PackedStoredArticle[] {
    return this.articles;
  }
}

/** The same articles, packed. @param spill absent: the texts stay in memory */
export function packArticles(
  articles: readonly StoredArticle[],
  spill?: SpillFile,
): readonly PackedStoredArticle[] {
  if (articles.every((article) => article instanceof PackedStoredArticle)) return articles;
  const packed = new PackedArticles(spill);
  for (const article of articles) packed.add(article);
  return packed.list();
}

const articleFields = {
  categoryId: 0,
  tags: 1,
  createdAt: 2,
  updatedAt: 3,
  isFeatured: 4,
  sortOrder: 5,
  showToc: 6,
  rest: 7,
} as const;

const textFields = { title: 0, slug: 1, description: 2, updatedAt: 3, callouts: 4, bodyHash: 5 } as const;

/** The other fields of a stored article. */
type PackedRest = readonly [
  offset: number,
  lengths: readonly number[],
  hidden: readonly LanguageTag[],
  fingerprint: string,
  problems: readonly Problem[],
];

/** In the order of {@link articleFields}. */
function packArticle({ article, bodyRange, hidden, fingerprint, problems }: StoredArticle): string {
  const { categoryId, tags, createdAt, updatedAt, isFeatured, sortOrder, showToc } = article;
  const { offset, lengths } = bodyRange;
  return packFields([
    categoryId,
    JSON.stringify(tags),
    createdAt,
    updatedAt,
    isFeatured ? '' : null,
    sortOrder === null ? null : String(sortOrder),
    showToc ? '' : null,
    JSON.stringify([offset, lengths, hidden, fingerprint, problems] satisfies PackedRest),
  ]);
}

/** In the order of {@link textFields}. A hash takes half as many characters as in hex. */
function packTranslation(translation: ArticleTranslation): string {
  const { title, slug, description, updatedAt, callouts, bodyHash } = translation;
  const hash = Buffer.from(bodyHash, 'hex').toString('latin1');
  return packFields([title, slug, description, updatedAt, callouts.join(' '), hash]);
}

class PackedArticle implements Article {
  readonly id: string;
  /** Language of each translation; `null`: not published. */
  readonly languages: readonly (LanguageTag | null)[];
  private readonly texts: StoredList;
  /** Of its text; those of its translations follow. */
  private readonly index: number;
  private readonly hasCategory: boolean;

  constructor(
    id: string,
    texts: StoredList,
    index: number,
    languages: readonly (LanguageTag | null)[],
    hasCategory = true,
  ) {
    this.id = id;
    this.languages = languages;
    this.texts = texts;
    this.index = index;
    this.hasCategory = hasCategory;
  }

  /**
   * The same article in other languages.
   * @param languages of each translation; `null` leaves it out
   * @param hasCategory `false` removes its category
   */
  with(languages: readonly (LanguageTag | null)[], hasCategory: boolean): PackedArticle {
    if (languages === this.languages && hasCategory) return this;
    return new PackedArticle(this.id, this.texts, this.index, languages, hasCategory);
  }

  get categoryId(): string | null {
    return this.hasCategory ? this.read('categoryId') : null;
  }

  get tags(): readonly string[] {
    return JSON.parse(this.read('tags') as string) as readonly string[];
  }

  get createdAt(): string | null {
    return this.read('createdAt');
  }

  get updatedAt(): string | null {
    return this.read('updatedAt');
  }

  get isFeatured(): boolean {
    return this.read('isFeatured') !== null;
  }

  get sortOrder(): number | null {
    const text = this.read('sortOrder');
    return text === null ? null : Number(text);
  }

  get showToc(): boolean {
    return this.read('showToc') !== null;
  }

  get translations(): readonly ArticleTranslation[] {
    const translations: PackedTranslation[] = [];
    for (let at = 0; at < this.languages.length; at += 1) {
      const language = this.languages[at] as LanguageTag | null;
      if (language !== null) {
        translations.push(new PackedTranslation(language, this.texts, this.index + 1 + at));
      }
    }
    return translations;
  }

  /** All other fields of the stored article: faster than one at a time. */
  get rest(): Omit<StoredArticle, 'article'> {
    const [offset, lengths, hidden, fingerprint, problems] = JSON.parse(
      this.read('rest') as string,
    ) as PackedRest;
    return { bodyRange: { offset, lengths }, hidden, fingerprint, problems };
  }

  private read(name: keyof typeof articleFields): string | null {
    return readField(this.texts.get(this.index), articleFields[name]);
  }

  /** For hashes, and for the index of the next snapshot. */
  toJSON(): Article {
    const { id, categoryId, tags, createdAt, updatedAt, isFeatured, sortOrder, showToc, translations } = this;
    return { id, categoryId, tags, createdAt, updatedAt, isFeatured, sortOrder, showToc, translations };
  }
}

class PackedTranslation implements ArticleTranslation {
  readonly language: LanguageTag;
  private readonly texts: StoredList;
  private readonly index: number;

  constructor(language: LanguageTag, texts: StoredList, index: number) {
    this.language = language;
    this.texts = texts;
    this.index = index;
  }

  get title(): string {
    return this.read('title') as string;
  }

  get slug(): string | null {
    return this.read('slug');
  }

  get description(): string | null {
    return this.read('description');
  }

  get updatedAt(): string | null {
    return this.read('updatedAt');
  }

  get bodyHash(): string {
    return Buffer.from(this.read('bodyHash') as string, 'latin1').toString('hex');
  }

  get callouts(): readonly string[] {
    const prints = this.read('callouts') as string;
    return prints === '' ? [] : prints.split(' ');
  }

  private read(name: keyof typeof textFields): string | null {
    return readField(this.texts.get(this.index), textFields[name]);
  }

  toJSON(): ArticleTranslation {
    const { language, title, slug, description, updatedAt, bodyHash, callouts } = this;
    return { language, title, slug, description, updatedAt, bodyHash, callouts };
  }
}

class PackedStoredArticle implements StoredArticle {
  readonly article: PackedArticle;

  constructor(article: PackedArticle) {
    this.article = article;
  }

  get rest(): Omit<StoredArticle, 'article'> {
    return this.article.rest;
  }

  get bodyRange(): BodyRange {
    return this.rest.bodyRange;
  }

  get hidden(): readonly LanguageTag[] {
    return this.rest.hidden;
  }

  get fingerprint(): string {
    return this.rest.fingerprint;
  }

  get problems(): readonly Problem[] {
    return this.rest.problems;
  }

  toJSON(): StoredArticle {
    return { article: this.article, ...this.rest };
  }
}
