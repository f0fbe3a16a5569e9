import { createRandom } from './corpus/random.ts';

/** An article for the load benchmark. */
export interface BenchArticle {
  readonly article_id: string;
  readonly title: string;
  readonly body: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly is_published: true;
}

const syllables = 'ba co di fu ge hi jo ka lu me ni po ra si to vu'.split(' ');

/**
 * Articles of about 8 KB with a vocabulary of 4,096 words, a few common and most rare as in natural language; the same in every run.
 * `words` are search texts: common words, rare ones, and pairs.
 */
export function makeArticles(count: number): {
  readonly articles: readonly BenchArticle[];
  readonly words: readonly string[];
} {
  const random = createRandom('articles');
  const word = () => {
    // Squaring twice makes low numbers common, like frequent words.
    const rank = Math.floor(random.next() ** 4 * 4096);
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
