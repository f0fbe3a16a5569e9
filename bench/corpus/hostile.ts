import type { Corpus, CorpusArticle, CorpusCategory } from './corpus.ts';

const megabyte = 1024 * 1024;

/** Knowledge bases with extreme content, by name. */
export const hostileCorpora: Readonly<Record<string, Corpus>> = {
  'one body of 50 MB': corpus([article(0, 'Long', longBody(50 * megabyte))]),
  'one body of 50 MB without a space': corpus([article(0, 'Long', 'x'.repeat(50 * megabyte))]),
  'one body with 500,000 nested elements': corpus([article(0, 'Deep', '<div>'.repeat(500_000))]),
  '100,000 articles of one byte': corpus(many(100_000, (index) => article(index, `Article ${index}`, 'x'))),
  'one article in 1,000 languages': corpus([inLanguages(1000)]),
  'a category tree 500 deep': corpus(
    many(500, (index) => ({
      ...article(index, `Article ${index}`, '<p>x</p>'),
      categoryId: categoryId(index),
    })),
    Array.from({ length: 500 }, (_, index) => category(index)),
  ),
  'titles with every control character': corpus(
    many(0xa0, (index) => article(index, `a${String.fromCharCode(index)}b\u202e${index}`, '<p>x</p>')),
  ),
};

/** One article with this body, and one it may link to. */
export function oneBody(body: string): Corpus {
  return corpus([article(0, 'Long', body), article(1, 'Target', '<h2>Heading</h2>')]);
}

function corpus(articles: Iterable<CorpusArticle>, categories: readonly CorpusCategory[] = []): Corpus {
  return { categories, articles: () => articles };
}

function* generate<Item>(count: number, make: (index: number) => Item): Generator<Item> {
  for (let index = 0; index < count; index++) yield make(index);
}

function many<Item>(count: number, make: (index: number) => Item): Iterable<Item> {
  return { [Symbol.iterator]: () => generate(count, make) };
}

function article(index: number, title: string, body: string): CorpusArticle {
  return {
    id: String(index).padStart(10, '0'),
    categoryId: null,
    tags: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    texts: [{ language: 'en', title, slug: null, description: null, body }],
  };
}

/** `en` and the requested number of private languages. */
function inLanguages(count: number): CorpusArticle {
  const one = article(0, 'Everywhere', '<h2>Heading</h2><p>Text</p>');
  const tags = [
    'en',
    ...Array.from({ length: count - 1 }, (_, index) => `en-x-${String(index).padStart(4, '0')}`),
  ];
  return { ...one, texts: tags.flatMap((language) => one.texts.map((text) => ({ ...text, language }))) };
}

function categoryId(index: number): string {
  return `c${String(index).padStart(9, '0')}`;
}

function category(index: number): CorpusCategory {
  const title = `Category ${index}`;
  return {
    id: categoryId(index),
    parentId: index === 0 ? null : categoryId(index - 1),
    texts: [{ language: 'en', title, slug: null, description: null }],
  };
}

function longBody(bytes: number): string {
  const part = '<h2>Heading</h2><p>Some words of a very long article.</p><ul><li>Item</li></ul>\n';
  return part.repeat(Math.ceil(bytes / part.length));
}
