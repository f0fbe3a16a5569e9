import { jsonLine } from '../../feed/records/json-lines.ts';
import { articleMarkdown, articleMetadata } from '../fields.ts';
import { type ArticleTarget, type ItemProblem, shorten, shortened, tooLarge, utf8Bytes } from '../target.ts';

/** Limits of a vector store file's attributes: 16 keys of 64 characters, texts of 512. */
const maxAttributes = 16;
const maxChars = 512;
/** Maximum size of a vector store file: 512 MB. */
const maxFileBytes = 512_000_000;

const fileOf = (id: string): string => `articles/${id}.md`;

/** OpenAI file search: a Markdown file per article, and its attributes for filters. */
export const openai: ArticleTarget = {
  product: 'OpenAI file search (vector stores)',
  source: 'OpenAI API reference, “Vector store files” (attributes), and guide “Retrieval” (limits of files)',
  reads: 'documents',
  prefix: 'none',
  items(article) {
    const problems: ItemProblem[] = [];
    const attributes: Record<string, string> = {};
    for (const [name, value] of Object.entries(articleMetadata(article)).slice(0, maxAttributes)) {
      const text = typeof value === 'string' ? value : value.join(', ');
      if (text.length <= maxChars) attributes[name] = text;
      // A shortened URL would be broken.
      else if (name !== 'url') attributes[name] = shorten(text, maxChars);
      if (text.length > maxChars) {
        problems.push(
          shortened(`${name} has ${text.length} characters; an attribute has at most ${maxChars}`),
        );
      }
    }
    const content = articleMarkdown(article);
    const bytes = utf8Bytes(content);
    if (bytes > maxFileBytes) return [tooLarge(article.id, bytes, `a file has at most ${maxFileBytes}`)];
    return [
      {
        id: article.id,
        searchText: content,
        files: [[fileOf(article.id), content]],
        entry: jsonLine({ file: fileOf(article.id), attributes }),
        problems,
      },
    ];
  },
  upserts: () => ({ path: 'attributes.jsonl', maxEntries: Infinity, maxBytes: Infinity }),
  deletes: () => ({ path: 'deletes.jsonl', maxEntries: Infinity, maxBytes: Infinity }),
  deleteEntry: (id) => jsonLine({ file: fileOf(id), id }),
  definitions: () => [],
};
