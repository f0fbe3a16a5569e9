import { jsonLine } from '../../feed/records/json-lines.ts';
import { articleHtml } from '../article-html.ts';
import { isAbsolute } from '../fields.ts';
import type { ArticleTarget } from '../target.ts';

/**
 * Intercom Fin: one request body per article for “Create an external page (or update an external page by external ID)” of the REST API,
 * version 2.17 or later, which accepts every locale. Fin divides pages itself.
 */
export const intercomFin: ArticleTarget = {
  product: 'Intercom Fin (external pages)',
  reads: 'documents',
  prefix: 'none',
  items(article) {
    const { html, problems } = articleHtml(article);
    const body = {
      external_id: article.id,
      title: article.title,
      html,
      // Otherwise Fin would send readers to a broken URL.
      ...(isAbsolute(article.url) ? { url: article.url } : {}),
      locale: article.language,
      ai_agent_availability: true,
      ai_copilot_availability: true,
    };
    return [{ id: article.id, searchText: html, files: [], entry: jsonLine(body), problems }];
  },
  upserts: () => ({ path: 'upserts.jsonl', maxEntries: Infinity, maxBytes: Infinity }),
  deletes: () => ({ path: 'deletes.jsonl', maxEntries: Infinity, maxBytes: Infinity }),
  deleteEntry: (id) => jsonLine({ external_id: id }),
  definitions: () => [],
};
