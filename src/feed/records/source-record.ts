import { z } from '../../foundation/schema.ts';

/** One article in one language, as the chatbot source page lists it. What is absent is left out, never null. */
const sourceRecord = z.object({
  id: z.string().describe('Document id, as in documents.jsonl.'),
  article_id: z.string().describe('Id of the article in the knowledge base, the same in every language.'),
  language: z.string().describe('BCP 47 tag.'),
  title: z.string(),
  url: z.string().describe('Address of the page.'),
  category_path: z.array(z.string()).describe('Category titles in this language, outermost first.'),
  tags: z.array(z.string()),
  updated_at: z.string().optional().describe('ISO 8601, UTC.'),
  hash: z.string().describe('SHA-256 of title and Markdown: changes when, and only when, the content does.'),
  tokens: z.int().describe('Tokens of the Markdown (see `tokenizer` in the manifest).'),
  text: z.string().describe('Plain text, one block per line.'),
});

/** The whole `source.json`. */
export const sourcePage = z.object({
  schema: z.literal('lectern/source/1'),
  site: z.object({ title: z.string(), url: z.string(), default_language: z.string() }),
  languages: z.array(z.string()).describe('Languages of this file.'),
  articles: z.array(sourceRecord).describe('In the order of `languages`; empty where `files` lists them.'),
  files: z
    .array(z.object({ language: z.string(), articles: z.int(), json: z.string(), text: z.string() }))
    .optional()
    .describe('Where the articles of each language are, in a source page that would be too large.'),
});

export type SourceRecord = z.output<typeof sourceRecord>;
export type SourcePage = z.output<typeof sourcePage>;
