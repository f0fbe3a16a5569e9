/** Ranks the texts for a query: indexes of all that share a term with it, best first, ties in order. */
export type RankTexts = (query: readonly string[]) => readonly number[];

const k1 = 1.2;
const b = 0.75;

/** Okapi BM25 over texts that are already cut into terms. */
export function createBm25(texts: readonly (readonly string[])[]): RankTexts {
  const meanLength = texts.reduce((sum, terms) => sum + terms.length, 0) / texts.length;
  const postings = new Map<string, Map<number, number>>();
  for (const [at, terms] of texts.entries()) {
    for (const term of terms) {
      const counts = postings.get(term) ?? new Map<number, number>();
      counts.set(at, (counts.get(at) ?? 0) + 1);
      postings.set(term, counts);
    }
  }
  return (query) => {
    const scores = new Map<number, number>();
    for (const term of new Set(query)) {
      const counts = postings.get(term);
      if (counts === undefined) continue;
      const idf = Math.log(1 + (texts.length - counts.size + 0.5) / (counts.size + 0.5));
      for (const [at, count] of counts) {
        const length = (texts[at]?.length ?? 0) / meanLength;
        const gain = (idf * count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
        scores.set(at, (scores.get(at) ?? 0) + gain);
      }
    }
    return [...scores].sort((one, other) => other[1] - one[1] || one[0] - other[0]).map(([at]) => at);
  };
}
