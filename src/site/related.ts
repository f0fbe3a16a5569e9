import type { Plan, PlannedLanguage } from '../plan/plan.ts';

/** Articles to read next: at most this many. */
const maxRelated = 4;

/** A trait shared by more articles than this says little, and comparing them all would take long. */
const maxSharing = 200;

const weights = { tag: 3, category: 2, word: 1 } as const;

/** Ids of articles related to one, best first. */
export type RelatedArticles = (articleId: string) => readonly string[];

/**
 * Finds related articles of a language by what they share: tags, category, words of title and description; the rarer a
 * trait, the more it counts. Ties are broken by id, so that the answer never depends on chance.
 * @param tokenize the search's tokenizer
 */
export function createRelatedArticles(
  plan: Plan,
  language: PlannedLanguage,
  tokenize: (text: string) => readonly string[],
): RelatedArticles {
  const ids = language.articleIds;
  const traitsOf = (id: string): readonly string[] => {
    const article = plan.articles.get(id);
    const page = article?.pages.get(language.tag);
    if (article === undefined || page === undefined) return [];
    const words = new Set(
      tokenize(`${page.title} ${page.description ?? ''}`).filter((word) => word.length > 1),
    );
    return [
      ...article.tags.map((tag) => `tag ${tag}`),
      ...(article.categoryId === null ? [] : [`category ${article.categoryId}`]),
      ...[...words].map((word) => `word ${word}`),
    ];
  };
  let prepared: PreparedTraits | null = null;
  return (articleId) => {
    prepared ??= prepareTraits(ids, traitsOf);
    const { positions, sharing, scores } = prepared;
    const touched: number[] = [];
    for (const trait of traitsOf(articleId)) {
      const others = sharing.get(trait) ?? [];
      if (others.length > maxSharing) continue;
      const kind = trait.slice(0, trait.indexOf(' ')) as keyof typeof weights;
      const weight = weights[kind] * Math.log(1 + ids.length / others.length);
      for (const position of others) {
        if (scores[position] === 0) touched.push(position);
        scores[position] = (scores[position] ?? 0) + weight;
      }
    }
    const best = pickBest(touched, scores, positions.get(articleId));
    for (const position of touched) scores[position] = 0;
    return best.map((position) => ids[position] ?? '');
  };
}

/** Which articles of a language share what; articles are named by their position among its ids, which are sorted. */
interface PreparedTraits {
  readonly positions: ReadonlyMap<string, number>;
  readonly sharing: ReadonlyMap<string, readonly number[]>;
  /** All zero between two questions. */
  readonly scores: Float64Array;
}

function prepareTraits(ids: readonly string[], traitsOf: (id: string) => readonly string[]): PreparedTraits {
  const sharing = new Map<string, number[]>();
  for (const [position, id] of ids.entries()) {
    for (const trait of traitsOf(id)) {
      const others = sharing.get(trait);
      if (others === undefined) sharing.set(trait, [position]);
      else others.push(position);
    }
  }
  return {
    positions: new Map(ids.map((id, position) => [id, position])),
    sharing,
    scores: new Float64Array(ids.length),
  };
}

/** Positions with the highest scores, best first, equal ones in order of position. */
function pickBest(
  touched: readonly number[],
  scores: Float64Array,
  self: number | undefined,
): readonly number[] {
  const score = (position: number): number => scores[position] ?? 0;
  const best: number[] = [];
  for (const position of touched) {
    if (position === self) continue;
    const last = best[maxRelated - 1];
    if (last !== undefined && score(position) < score(last)) continue;
    best.push(position);
    best.sort((a, b) => score(b) - score(a) || a - b);
    if (best.length > maxRelated) best.pop();
  }
  return best;
}
