/** An article for the load benchmark. */
export interface BenchArticle {
  readonly article_id: string;
  readonly title: string;
  readonly body: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly is_published: true;
}

const syllables = [
  'ba',
  'co',
  'di',
  'fu',
  'ge',
  'hi',
  'jo',
  'ka',
  'lu',
  'me',
  'ni',
  'po',
  'ra',
  'si',
  'to',
  'vu',
];

/**
 * Articles of about 8 KB with a vocabulary of 4,096 words, a few common and most rare as in natural language; the same in every run.
 * `words` are search texts: common words, rare ones, and pairs.
 */
export function makeArticles(count: number): {
  readonly articles: readonly BenchArticle[];
  readonly words: readonly string[];
} {
  const random = createRandom(42);
  const word = () => {
    // Squaring twice makes low numbers common, like frequent words.
    const rank = Math.floor(random() ** 4 * 4096);
    return [rank >> 8, rank >> 4, rank].map((part) => syllables[part & 15]).join('');
  };
  const sentence = (length: number) => Array.from({ length }, word).join(' ');
  const articles = Array.from({ length: count }, (_, index): BenchArticle => {
    const paragraphs = Array.from({ length: 12 }, () => `<p>${sentence(90)}.</p>`);
    return {
      article_id: index.toString(36).padStart(10, '0'),
      title: sentence(5),
      body: `<h2>${sentence(3)}</h2>${paragraphs.join('\n')}`,
      description: sentence(12),
      tags: [word(), word()],
      is_published: true,
    };
  });
  return { articles, words: Array.from({ length: 500 }, (_, index) => sentence(1 + (index % 3))) };
}

/** Numbers in [0, 1) that are the same on every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
