import { lowerBound } from '../foundation/lower-bound.ts';
import type { Plan, PlannedLanguage } from '../plan/plan.ts';

/** Most related articles per article. */
const maxRelated = 4;

/** Traits that more articles share are ignored: they mean little, and comparing all these articles would take long. */
const maxSharing = 200;

const weights = { tag: 3, category: 2, word: 1 } as const;

/** Ids of articles related to one, best first. */
export type RelatedArticles = (articleId: string) => readonly string[];

/**
 * Finds related articles of a language by common traits: tags, category, words of title and description. Rarer traits count more. Ties are
 * broken by id, so that the result is deterministic.
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
  let prepared: SharedTraits | null = null;
  return (articleId) => {
    prepared ??= prepareTraits(ids, traitsOf);
    const { traits, sharing, weightOf, scores } = prepared;
    const self = positionOf(ids, articleId);
    const touched: number[] = [];
    for (const trait of self === null ? [] : traits.of(self)) {
      const weight = weightOf[trait] as number;
      for (const position of sharing.of(trait)) {
        if (scores[position] === 0) touched.push(position);
        scores[position] = (scores[position] as number) + weight;
      }
    }
    const best = pickBest(touched, scores, self);
    for (const position of touched) scores[position] = 0;
    return best.map((position) => ids[position] ?? '');
  };
}

/**
 * Which articles of a language share which traits. Articles are numbered by position among the ids; traits have numbers, too. Excludes
 * traits of a single article or of too many.
 */
interface SharedTraits {
  /** Traits by article, in the article's order. */
  readonly traits: NumberLists;
  /** Articles by trait, ascending. */
  readonly sharing: NumberLists;
  /** Weight of a shared trait. */
  readonly weightOf: Float64Array;
  /** Scratch space; all zero between calls. */
  readonly scores: Float64Array;
}

function prepareTraits(ids: readonly string[], traitsOf: (id: string) => readonly string[]): SharedTraits {
  const numbers = new Map<string, number>();
  const kinds: (keyof typeof weights)[] = [];
  const all = new NumberLists();
  for (const id of ids) {
    for (const trait of traitsOf(id)) {
      let number = numbers.get(trait);
      if (number === undefined) {
        number = kinds.push(trait.slice(0, trait.indexOf(' ')) as keyof typeof weights) - 1;
        numbers.set(trait, number);
      }
      all.push(number);
    }
    all.end();
  }
  const counts = new Uint32Array(kinds.length);
  for (const trait of all.numbers()) counts[trait] = (counts[trait] as number) + 1;
  const kept = new Int32Array(kinds.length).fill(-1);
  const weightOf: number[] = [];
  for (const [trait, kind] of kinds.entries()) {
    const count = counts[trait] as number;
    if (count < 2 || count > maxSharing) continue;
    kept[trait] = weightOf.push(weights[kind] * Math.log(1 + ids.length / count)) - 1;
  }
  const traits = all.map((trait) => kept[trait] as number);
  return {
    traits,
    sharing: traits.inverted(weightOf.length),
    weightOf: Float64Array.from(weightOf),
    scores: new Float64Array(ids.length),
  };
}

/** Positions with the highest scores, best first; equal scores in order of position. */
function pickBest(touched: readonly number[], scores: Float64Array, self: number | null): readonly number[] {
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

/** Position of an id among ids sorted in code-unit order; `null` if missing. */
function positionOf(ids: readonly string[], id: string): number | null {
  const index = lowerBound(ids.length, (at) => (ids[at] as string) < id);
  return ids[index] === id ? index : null;
}

/** Many short lists of numbers in two blocks of memory. */
export class NumberLists {
  private items: Uint32Array;
  private ends: Uint32Array;
  private itemCount = 0;
  private listCount = 0;

  constructor(items = 1 << 10, lists = 1 << 8) {
    this.items = new Uint32Array(items);
    this.ends = new Uint32Array(lists);
  }

  /** Adds a number to the current list. */
  push(item: number): void {
    if (this.itemCount === this.items.length) this.items = widened(this.items);
    this.items[this.itemCount] = item;
    this.itemCount += 1;
  }

  /** Ends the current list; the next number starts another. */
  end(): void {
    if (this.listCount === this.ends.length) this.ends = widened(this.ends);
    this.ends[this.listCount] = this.itemCount;
    this.listCount += 1;
  }

  of(list: number): Uint32Array {
    return this.items.subarray(this.startOf(list), this.ends[list]);
  }

  /** The numbers of all lists, one after another. */
  numbers(): Uint32Array {
    return this.items.subarray(0, this.itemCount);
  }

  /** The lists with every number mapped; negative results are dropped. */
  map(change: (item: number) => number): NumberLists {
    const kept = this.numbers().reduce((count, item) => (change(item) < 0 ? count : count + 1), 0);
    const changed = new NumberLists(kept, this.listCount);
    for (let list = 0; list < this.listCount; list += 1) {
      for (const item of this.of(list)) {
        const next = change(item);
        if (next >= 0) changed.push(next);
      }
      changed.end();
    }
    return changed;
  }

  /** For every number below `count`: the lists that contain it, ascending, once per occurrence. */
  inverted(count: number): NumberLists {
    const result = new NumberLists(this.itemCount, count);
    for (const item of this.numbers()) result.ends[item] = (result.ends[item] as number) + 1;
    for (let item = 1; item < count; item += 1) {
      result.ends[item] = (result.ends[item] as number) + (result.ends[item - 1] as number);
    }
    // Fills from the end, so that each end becomes the start of its list; the end of a list is the start of the next.
    for (let list = this.listCount - 1; list >= 0; list -= 1) {
      for (const item of this.of(list)) {
        const at = (result.ends[item] as number) - 1;
        result.items[at] = list;
        result.ends[item] = at;
      }
    }
    result.ends.copyWithin(0, 1);
    if (count > 0) result.ends[count - 1] = this.itemCount;
    [result.itemCount, result.listCount] = [this.itemCount, count];
    return result;
  }

  private startOf(list: number): number {
    return list === 0 ? 0 : (this.ends[list - 1] as number);
  }
}

function widened(values: Uint32Array): Uint32Array {
  const wider = new Uint32Array(2 * values.length + 1);
  wider.set(values);
  return wider;
}
