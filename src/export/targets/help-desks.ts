import { jsonLine } from '../../feed/records/json-lines.ts';
import { articleHtml } from '../article-html.ts';
import { type ExportPassage, isAbsolute } from '../fields.ts';
import { type ArticleTarget, type ItemProblem, type PassageTarget, shorten, shortened } from '../target.ts';

/** Intercom Fin: one request body per article for “external pages”. */
export const intercomFin: ArticleTarget = {
  product: 'Intercom Fin (external pages)',
  source:
    'Intercom REST API reference, “Create an external page (or update an external page by external ID)”',
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

/** Zendesk cuts longer bodies. */
const maxBodyChars = 10_000;
/** The reference gives no limit; this is the limit for article titles. */
const maxTitleChars = 255;
const separator = '\n\n';

/** Zendesk federated search: external content records; an article of more than 10,000 characters becomes several records. */
export const zendesk: PassageTarget = {
  product: 'Zendesk (external content records)',
  source: 'Zendesk help center API reference, “External Content Records”',
  reads: 'chunks',
  prefix: 'none',
  items: (passages) =>
    packParts(passages).map(({ first, body }, at) => {
      const heading = at === 0 ? '' : (first.headingPath.at(-1) ?? '');
      const title = heading === '' ? first.title : `${first.title} › ${heading}`;
      const problems: ItemProblem[] =
        title.length > maxTitleChars
          ? [shortened(`the title has ${title.length} characters; a record has at most ${maxTitleChars}`)]
          : [];
      // The URL of the whole article is that of its first passage without the anchor.
      const url = at === 0 ? first.url.replace(/#.*$/, '') : first.url;
      const externalId = at === 0 ? first.documentId : `${first.documentId}-${at + 1}`;
      const record = {
        external_id: externalId,
        title: shorten(title, maxTitleChars),
        body,
        url,
        locale: first.language.toLowerCase(),
      };
      return { id: externalId, searchText: body, files: [], entry: jsonLine({ record }), problems };
    }),
  upserts: () => ({ path: 'upserts.jsonl', maxEntries: Infinity, maxBytes: Infinity }),
  deletes: () => ({ path: 'deletes.jsonl', maxEntries: Infinity, maxBytes: Infinity }),
  deleteEntry: (id) => jsonLine({ external_id: id }),
  definitions: () => [],
};

interface Part {
  /** Its first passage. */
  readonly first: ExportPassage;
  readonly body: string;
}

/** Adds as many passages to a part as fit; a passage that is too long by itself is cut. */
function packParts(passages: readonly ExportPassage[]): Part[] {
  const parts: { first: ExportPassage; body: string }[] = [];
  for (const first of passages) {
    for (const piece of cutText(first.text)) {
      const last = parts.at(-1);
      if (last !== undefined && last.body.length + separator.length + piece.length <= maxBodyChars) {
        last.body += separator + piece;
      } else parts.push({ first, body: piece });
    }
  }
  return parts;
}

/** Cuts after a line, else after a word, else between two characters. */
function cutText(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > maxBodyChars) {
    const most = rest.slice(0, maxBodyChars);
    const at = [most.lastIndexOf('\n'), most.lastIndexOf(' ')].find(
      (position) => position > maxBodyChars / 2,
    );
    const end = at ?? most.replace(/[\ud800-\udbff]$/, '').length;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest];
}
