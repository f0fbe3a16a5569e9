import type { LanguageTag } from '../../foundation/model.ts';
import type { ArticlePage, PlannedArticle } from '../../plan/plan.ts';

/** Texts that so many articles of a language have that they tell none of them from the others. */
export interface SharedTexts {
  /** Descriptions, by language. */
  readonly descriptions: ReadonlyMap<LanguageTag, ReadonlySet<string>>;
  /** Fingerprints of call-outs, by language. */
  readonly callouts: ReadonlyMap<LanguageTag, ReadonlySet<string>>;
}

/** A text is shared by so many articles at least, and by more than this share of the articles of its language. */
const minArticles = 3;
const minShare = 0.01;

/** Finds what the articles of each language share. Sorted, so that it can be hashed. */
export function findSharedTexts(articles: Iterable<Pick<PlannedArticle, 'pages'>>): SharedTexts {
  const languages = new Map<LanguageTag, LanguageCounts>();
  for (const { pages } of articles) {
    for (const { language, description, callouts } of pages.values()) {
      let counts = languages.get(language);
      if (counts === undefined) {
        counts = { articles: 0, descriptions: new Map(), callouts: new Map() };
        languages.set(language, counts);
      }
      counts.articles += 1;
      if (description !== null) count(counts.descriptions, description);
      for (const print of callouts) count(counts.callouts, print);
    }
  }
  const shared = (kind: 'descriptions' | 'callouts') =>
    new Map([...languages].map(([language, counts]) => [language, common(counts[kind], counts.articles)]));
  return { descriptions: shared('descriptions'), callouts: shared('callouts') };
}

/** The call-outs of a page that are shared. */
export function sharedCallouts({ callouts }: SharedTexts, page: ArticlePage): readonly string[] {
  return page.callouts.filter((print) => callouts.get(page.language)?.has(print));
}

interface LanguageCounts {
  articles: number;
  readonly descriptions: Map<string, number>;
  readonly callouts: Map<string, number>;
}

function count(counts: Map<string, number>, text: string): void {
  counts.set(text, (counts.get(text) ?? 0) + 1);
}

function common(counts: ReadonlyMap<string, number>, articles: number): ReadonlySet<string> {
  const enough = [...counts].filter(([, times]) => times >= minArticles && times > articles * minShare);
  return new Set(enough.map(([text]) => text).sort());
}
