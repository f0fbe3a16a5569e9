import { z } from '../foundation/schema.ts';
import { articleId } from './article.ts';
import { languageCode, timestamp } from './fields.ts';

/** One public article in one language, as plain text. */
export const sourceArticle = z
  .strictObject({
    article_id: articleId,
    language: languageCode,
    title: z.string(),
    url: z.string().describe('`/article/<id>-<slug>`, for a translation below `/l/<language>`.'),
    category_path: z.array(z.string()).describe('Category titles in this language, outermost first.'),
    tags: z.array(z.string()),
    updated_at: timestamp,
    hash: z.string().describe('SHA-256 of title and text: changes when, and only when, they do.'),
    text: z.string().describe('Plain text, one block per line.'),
  })
  .meta({ id: 'SourceArticle' });

/** The chatbot source page: all published public articles and their content. */
export const sourcePage = z
  .strictObject({
    schema: z.literal('lectern/service-source/1'),
    default_language: languageCode,
    articles: z
      .array(sourceArticle)
      .describe('By article, in the order of the list; the default language first.'),
  })
  .meta({ id: 'SourcePage' });

export type SourceArticle = z.output<typeof sourceArticle>;
export type SourcePage = z.output<typeof sourcePage>;
