import { baseLanguage, passageMetadata, stemmedLanguages } from '../fields.ts';
import type { Target } from '../target.ts';

/** Analysers that both engines include, by language. Other languages use Unicode word boundaries. */
const analyzers: Readonly<Record<string, string>> = {
  ...stemmedLanguages,
  bg: 'bulgarian',
  ca: 'catalan',
  cs: 'czech',
  eu: 'basque',
  fa: 'persian',
  ga: 'irish',
  gl: 'galician',
  hi: 'hindi',
  hy: 'armenian',
  id: 'indonesian',
  ja: 'cjk',
  ko: 'cjk',
  lv: 'latvian',
  th: 'thai',
  zh: 'cjk',
};

const keyword = { type: 'keyword' };

/** Definition of the index. */
export const elasticsearchIndex = {
  mappings: {
    // The type of an unmapped field would be guessed, and could differ after a change of the feed.
    dynamic: 'strict',
    dynamic_templates: Object.entries(analyzers)
      .sort()
      .map(([language, analyzer]) => ({
        [`search_${language}`]: { path_match: `search.${language}`, mapping: { type: 'text', analyzer } },
      })),
    properties: {
      document_id: keyword,
      article_id: keyword,
      language: keyword,
      title: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
      url: { type: 'keyword', index: false },
      category_path: keyword,
      heading_path: { type: 'text' },
      tags: keyword,
      updated_at: { type: 'date' },
      position: { type: 'integer' },
      flags: keyword,
      text: { type: 'text', index: false },
      search: { type: 'object', dynamic: true },
    },
  },
};

/** Elasticsearch: requests of the bulk API, and an index definition with an analyser per language. OpenSearch has the same API. */
export const elasticsearch: Target = {
  product: 'Elasticsearch',
  item(passage) {
    const action = JSON.stringify({ index: { _id: passage.id } });
    const search = { [baseLanguage(passage.language) || 'und']: passage.text };
    const fields = { ...passageMetadata(passage), text: passage.text, search };
    return { entry: `${action}\n${JSON.stringify(fields)}\n` };
  },
  // The smallest known request limit: small instances of Amazon OpenSearch Service accept 10 MiB, Elasticsearch 100 MB.
  format: () => ({ extension: 'ndjson', maxEntries: 5000, maxBytes: 10_000_000 }),
  definitions: () => [['index.json', `${JSON.stringify(elasticsearchIndex, null, 2)}\n`]],
};
