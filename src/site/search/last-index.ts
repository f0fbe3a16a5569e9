import { fieldCount } from './posting.ts';
import type { SearchEntry } from './search-entry.ts';
import {
  articleFilePaths,
  countSections,
  readLines,
  type SearchIndexOptions,
  type SearchManifest,
  type SearchPart,
} from './search-index.ts';
import { type KeptTerms, placeInIndex, readParts, readPostings } from './term-line.ts';

/** What a build knows of a part of the index that it published. */
interface KnownPart {
  /** Ids of its articles, in order. */
  readonly ids: readonly string[];
  /** `SearchPart.topCategories` */
  readonly topCategories: readonly string[];
}

/** Where an article was in its part, and its files. */
interface KnownArticle {
  readonly part: number;
  readonly at: number;
  readonly lengths: string;
  /** Number of its first section. */
  readonly first: number;
}

/**
 * A published index from which the next one takes what it has of unchanged articles: the texts and terms of articles are in no other place. First the
 * parts and articles are kept, then the terms are read.
 */
export class LastIndex {
  private readonly manifest: SearchManifest;
  private readonly options: Pick<SearchIndexOptions, 'folder' | 'basePath'>;
  private readonly known: Readonly<Record<number, KnownPart>>;
  private readonly read: (path: string) => Promise<Uint8Array>;
  private readonly articles = new Map<string, KnownArticle>();
  /** Texts of the articles of a part, as they are in its files. */
  private readonly texts = new Map<number, readonly string[]>();
  /** Where the sections of each part are in the next index (`KeptTerms.placesOf`). */
  private readonly places = new Map<number, number[] | null>();

  private constructor(
    manifest: SearchManifest,
    options: Pick<SearchIndexOptions, 'folder' | 'basePath'>,
    known: Readonly<Record<number, KnownPart>>,
    read: (path: string) => Promise<Uint8Array>,
  ) {
    this.manifest = manifest;
    this.options = options;
    this.known = known;
    this.read = read;
    for (const [part, { ids }] of Object.entries(known)) {
      const lengths = manifest.lengths[Number(part)]?.match(/[A-Z][a-z]*/g) ?? [];
      let first = 0;
      for (const [at, id] of ids.entries()) {
        const own = lengths[at] ?? '';
        this.articles.set(id, { part: Number(part), at, lengths: own, first });
        first += countSections(own);
      }
    }
  }

  /** @param known by part @param read reads a file by its path */
  static async open(
    options: Pick<SearchIndexOptions, 'path' | 'folder' | 'basePath'>,
    known: Readonly<Record<number, KnownPart>>,
    read: (path: string) => Promise<Uint8Array>,
  ): Promise<LastIndex> {
    const manifest = JSON.parse(String(await read(options.path))) as SearchManifest;
    return new LastIndex(manifest, options, known, read);
  }

  /** A part none of whose articles changed, without terms. */
  keepPart(part: number): SearchPart {
    const lengths = this.manifest.lengths[part] ?? '';
    this.places.set(part, null);
    return {
      ...{ part, lengths, sections: countSections(lengths) },
      topCategories: this.known[part]?.topCategories ?? [],
      articleFiles: this.articleFiles(part),
      ...{ terms: new Uint16Array(), ends: new Uint32Array(), postings: new Uint32Array() },
    };
  }

  /**
   * The entry of an unchanged article, without terms. @param part where it is in the next index, and the number of its first section there
   * @throws if the index does not have the article, which is a bug
   */
  async keepArticle(id: string, part: number, first: number): Promise<SearchEntry> {
    const article = this.articles.get(id);
    if (article === undefined) throw new Error(`the last search index does not have ${id}`);
    const places = this.places.get(article.part) ?? [];
    this.places.set(article.part, places);
    for (let section = 0; section < countSections(article.lengths); section += 1)
      places[article.first + section] = placeInIndex(part, first + section);
    return {
      article: (await this.readTexts(article.part))[article.at] ?? '',
      topCategory: this.known[article.part]?.topCategories[article.at] ?? '',
      lengths: article.lengths,
      ...{ terms: new Uint16Array(), postings: new Uint32Array() },
    };
  }

  /** The terms of all parts and articles that were kept. */
  async readTerms(): Promise<KeptTerms> {
    const { termFiles, ignoredFiles, sectionBits } = this.manifest;
    const step = 2 ** sectionBits;
    const noPlaces: readonly number[] = [];
    const placesOf = (part: number) => {
      const places = this.places.get(part);
      return places === undefined ? noPlaces : places;
    };
    const lines = new Map<string, string>();
    const stale = new Set<string>();
    for (const href of [...termFiles.map(([, href]) => href), ...ignoredFiles.map(([href]) => href)]) {
      const text = String(await this.read(href.slice(this.options.basePath.length + 1)));
      const terms = JSON.parse(text) as [term: string, ...fields: number[][]][];
      const own = readLines(text);
      for (const [at, [term, ...fields]] of terms.entries()) {
        let [isKept, isStale] = [false, fields.length > fieldCount];
        for (const numbers of fields.slice(0, fieldCount)) {
          readParts(numbers, step, (part, from, to) => {
            const places = placesOf(part);
            if (places === null) isKept = true;
            else
              readPostings(numbers, from, to, step, (section) => {
                const place = places[section];
                if (place !== undefined) isKept = true;
                if (place !== placeInIndex(part, section)) isStale = true;
              });
          });
        }
        if (!isKept) continue;
        lines.set(term, own[at] as string);
        if (isStale) stale.add(term);
      }
    }
    return { placesOf, step, lines, stale };
  }

  private articleFiles(part: number): SearchPart['articleFiles'] {
    return this.manifest.articleFiles[part] as unknown as SearchPart['articleFiles'];
  }

  private async readTexts(part: number): Promise<readonly string[]> {
    const known = this.texts.get(part);
    if (known !== undefined) return known;
    const texts: string[] = [];
    for (const path of articleFilePaths(this.options.folder, this.articleFiles(part)))
      texts.push(...readLines(String(await this.read(path))));
    this.texts.set(part, texts);
    return texts;
  }
}
