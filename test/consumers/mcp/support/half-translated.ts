import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corporaFolder } from '../../../support/tools.ts';

interface Translation {
  readonly language_code: string;
  readonly title: string;
  readonly slug: string;
  readonly body: string;
  readonly description: string;
}

interface Article extends Omit<Translation, 'language_code'> {
  readonly article_id: string;
  readonly is_published: boolean;
  readonly is_private: boolean;
  readonly multilingual: readonly Translation[];
}

/** A knowledge base as the API has it; the default language is English. */
export interface KnowledgeBase {
  readonly articles: readonly Article[];
  readonly categories: readonly unknown[];
}

/** A text that a reader may ask, and the article that must come first, in the same language. */
export interface Query {
  readonly text: string;
  readonly language: string;
  readonly articleId: string;
  readonly kind: 'title' | 'question';
}

export interface HalfTranslated extends KnowledgeBase {
  readonly queries: readonly Query[];
}

/**
 * Makes a knowledge base one that is translated by halves. Of five translations in turn, one is whole, one has only its title translated, one
 * is all English, one has the first half of its body translated, and one is missing. Every title and the headings of translated parts are
 * queries.
 * @param paragraphs by language: where an article has no translation, it gets the English body and one of these
 */
export function halfTranslate(
  { articles, categories }: KnowledgeBase,
  paragraphs: ReadonlyMap<string, readonly string[]> = new Map(),
): HalfTranslated {
  const queries: Query[] = [];
  const publicArticles = articles.filter((article) => article.is_published && !article.is_private);
  const tags = new Set([
    ...paragraphs.keys(),
    ...publicArticles.flatMap(({ multilingual }) =>
      multilingual.map((translation) => translation.language_code),
    ),
  ]);
  const translated = publicArticles.map((article, at) => {
    const ask = (text: string, language: string, kind: Query['kind']) =>
      queries.push({ text, language, articleId: article.article_id, kind });
    ask(article.title, 'en', 'title');
    for (const heading of headingsOf(article.body)) ask(heading, 'en', 'question');
    const multilingual = [...tags].sort().flatMap((tag, position): Translation[] => {
      const { title, slug, body, description } = article;
      const english: Translation = { language_code: tag, title, slug, body, description };
      const whole = article.multilingual.find((translation) => translation.language_code === tag);
      const kind = (at * 3 + position + 1) % 5;
      if (kind === 4) return [];
      if (whole === undefined) {
        const own = paragraphs.get(tag);
        return own === undefined ? [] : [{ ...english, body: `${body}\n${own[(at * 7) % own.length]}` }];
      }
      if (kind === 2) return [english];
      if (whole.title !== title) ask(whole.title, tag, 'title');
      if (kind === 1) return [{ ...english, title: whole.title }];
      for (const heading of headingsOf(whole.body)) ask(heading, tag, 'question');
      return kind === 0 ? [whole] : [{ ...whole, body: joinHalves(whole.body, body) }];
    });
    return { ...article, multilingual };
  });
  return { articles: translated, categories, queries };
}

/** Reads a knowledge base of the shared corpora. */
export function readKnowledgeBase(name: string): KnowledgeBase {
  return JSON.parse(readFileSync(join(corporaFolder, `${name}.json`), 'utf8')) as KnowledgeBase;
}

/** Long paragraphs of all translations, by language. */
export function paragraphsOf({ articles }: KnowledgeBase): ReadonlyMap<string, readonly string[]> {
  const paragraphs = new Map<string, readonly string[]>();
  for (const { language_code: tag, body } of articles.flatMap(({ multilingual }) => multilingual)) {
    const own = blocksOf(body).filter((block) => block.startsWith('<p>') && block.length > 80);
    paragraphs.set(tag, [...(paragraphs.get(tag) ?? []), ...own]);
  }
  return paragraphs;
}

function blocksOf(html: string): readonly string[] {
  return html.split(/(?<=<\/(?:p|ul|ol|table|h2|h3|blockquote)>)\n?/).filter((block) => block !== '');
}

function joinHalves(first: string, second: string): string {
  const [translated, english] = [blocksOf(first), blocksOf(second)];
  return [
    ...translated.slice(0, Math.ceil(translated.length / 2)),
    ...english.slice(Math.ceil(english.length / 2)),
  ].join('\n');
}

/** Up to three headings, which are the questions that parts of an article answer. */
function headingsOf(html: string): readonly string[] {
  return [...html.matchAll(/<h[23][^>]*>(.*?)<\/h/g)]
    .map(([, heading = '']) => heading.replaceAll(/<[^>]*>/g, ''))
    .filter((heading) => heading.length > 8 && !heading.includes('&'))
    .slice(0, 3);
}
