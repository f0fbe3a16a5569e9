import { once } from '../../core/concurrency.ts';
import type { LanguageTag } from '../../core/model.ts';
import { tokenize } from '../../core/search/language-words.ts';
import type { Plan, PlannedLanguage } from '../plan/plan.ts';

/** Maximum number of related articles per article. */
const maxRelated = 4;

/** Traits that more articles share are ignored: they mean little, and comparing all these articles would take long. */
const maxSharing = 200;

const weights = { tag: 3, category: 2, word: 1 } as const;

/** Ids of articles related to one, best first. */
export type RelatedArticles = (articleId: string) => readonly string[];

/**
 * Ids of the related articles that were found before, when all titles, descriptions, tags and categories were the same; `null` if unknown.
 * Finding those of one article takes as long as of all.
 */
export type KnownRelated = (articleId: string, language: LanguageTag) => readonly string[] | null;

/**
 * Finds related articles of a language by common traits: tags, category, words of title and description. Rarer traits count more. Ties are
 * broken by id, so that the result is deterministic.
 */
export function createRelatedArticles(plan: Plan, language: PlannedLanguage): RelatedArticles {
  const ids = language.articleIds;
  const traitsOf = (id: string): readonly NamedTrait[] => {
    const article = plan.articles.get(id);
    const page = article?.pages.get(language.tag);
    if (article === undefined || page === undefined) return [];
    const words = new Set(tokenize(`${page.title} ${page.description ?? ''}`));
    return [
      ...article.tags.map((tag) => ['tag', tag] as const),
      ...(article.categoryId === null ? [] : [['category', article.categoryId] as const]),
      ...Array.from(words, (word) => ['word', word] as const).filter(([, word]) => word.length > 1),
    ];
  };
  const prepare = once(() => prepareTraits(ids, traitsOf));
  return (articleId) => {
    if (plan.articles.get(articleId)?.pages.has(language.tag) !== true) return [];
    const { positions, traits, scores } = prepare();
    const self = positions.get(articleId);
    const touched: number[] = [];
    for (const { weight, sharing } of self === undefined ? [] : (traits[self] ?? [])) {
      for (const position of sharing) {
        if (scores[position] === 0) touched.push(position);
        scores[position] = (scores[position] as number) + weight;
      }
    }
    const best = pickBest(touched, scores, self);
    for (const position of touched) scores[position] = 0;
    return best.map((position) => ids[position] ?? '');
  };
}

/** A tag, category or word. */
interface Trait {
  weight: number;
  /** Positions of the articles that have it, ascending. */
  sharing: number[];
}

type NamedTrait = readonly [kind: keyof typeof weights, name: string];

/** Which articles of a language share which traits. Articles are numbered by position among the ids. */
interface PreparedTraits {
  readonly positions: ReadonlyMap<string, number>;
  /** By article, in the article's order, without traits of a single article or of too many. */
  readonly traits: readonly (readonly Trait[])[];
  /** Scratch space, one number per article; all zero between calls. */
  readonly scores: Float64Array;
}

function prepareTraits(
  ids: readonly string[],
  traitsOf: (id: string) => readonly NamedTrait[],
): PreparedTraits {
  const byName = {
    tag: new Map<string, Trait>(),
    category: new Map<string, Trait>(),
    word: new Map<string, Trait>(),
  };
  const all = ids.map((id, position) =>
    traitsOf(id).map(([kind, name]) => {
      const known = byName[kind].get(name);
      const trait = known ?? { weight: 0, sharing: [] };
      if (known === undefined) byName[kind].set(name, trait);
      trait.sharing.push(position);
      return trait;
    }),
  );
  for (const kind of ['tag', 'category', 'word'] as const) {
    for (const trait of byName[kind].values()) {
      const count = trait.sharing.length;
      if (count < 2 || count > maxSharing) trait.sharing = [];
      else trait.weight = weights[kind] * Math.log(1 + ids.length / count);
    }
  }
  return {
    positions: new Map(ids.map((id, position) => [id, position])),
    traits: all.map((own) => own.filter(({ sharing }) => sharing.length > 0)),
    scores: new Float64Array(ids.length),
  };
}

/** Positions with the highest scores, best first; equal scores in order of position. */
function pickBest(
  touched: readonly number[],
  scores: Float64Array,
  self: number | undefined,
): readonly number[] {
  const compare = (a: number, b: number): number => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b;
  const best: number[] = [];
  for (const position of touched) {
    if (position === self) continue;
    const last = best[maxRelated - 1];
    if (last !== undefined && compare(last, position) < 0) continue;
    best.push(position);
    best.sort(compare);
    if (best.length > maxRelated) best.pop();
  }
  return best;
}
