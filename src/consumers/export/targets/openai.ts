import { shorten } from '../../../core/shorten.ts';
import { jsonLine } from '../../../feed/records/json-lines.ts';
import { type ExportPassage, numericMetadata } from '../fields.ts';
import { type ItemProblem, shortened, type Target } from '../target.ts';

/** Limits of the attributes of a vector store file: 16 keys of 64 characters, texts of 512. */
const maxAttributes = 16;
const maxAttributeChars = 512;
const maxAttributeName = 64;

/** OpenAI file search: a file per passage, because it would divide an article without its title in later parts, and attributes for filters. */
export const openai: Target = {
  product: 'OpenAI file search (vector stores)',
  item(passage) {
    const { attributes, problems } = openaiAttributes(passage);
    const file = `chunks/${passage.id}.txt`;
    return {
      entry: jsonLine({ id: passage.id, file, attributes }),
      update: jsonLine({ id: passage.id, attributes }),
      files: [[file, passage.text]],
      problems,
    };
  },
  // An attach request has at most 2,000 files; smaller ones lose less when they fail.
  format: () => ({ extension: 'jsonl', maxEntries: 500, maxBytes: 8_000_000 }),
};

/** Attributes have no lists, so every tag is an attribute of its own (`tag:ink` = true), which a filter can compare. */
function openaiAttributes(passage: ExportPassage) {
  const problems: ItemProblem[] = [];
  const { updated_at, article_id, language, title, url } = numericMetadata(passage);
  const texts = {
    title,
    heading: passage.heading_path.join(' › '),
    category: passage.category_path.join(' › '),
    url,
  };
  const attributes: Record<string, unknown> = { id: passage.id, article_id, language };
  for (const [name, value] of Object.entries(texts)) {
    const text = String(value);
    if (text === '') continue;
    // A shortened URL would be broken.
    if (text.length <= maxAttributeChars || name !== 'url')
      attributes[name] = shorten(text, maxAttributeChars);
    if (text.length > maxAttributeChars) {
      problems.push(
        shortened(`${name} has ${text.length} characters; an attribute has at most ${maxAttributeChars}`),
      );
    }
  }
  if (updated_at !== undefined) attributes.updated_at = updated_at;
  const room = maxAttributes - Object.keys(attributes).length;
  const names = passage.tags.map((tag) => `tag:${tag}`);
  const fitting = names.filter((name) => name.length <= maxAttributeName).slice(0, room);
  for (const name of fitting) attributes[name] = true;
  if (fitting.length < names.length) {
    problems.push(
      shortened(
        `${names.length - fitting.length} of ${names.length} tags were dropped: a file has at most ${maxAttributes} attributes with names of ${maxAttributeName} characters`,
      ),
    );
  }
  return { attributes, problems };
}
