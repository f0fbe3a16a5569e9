import { decodePercent, parseUrl } from '../../core/addresses.ts';
import { escapeHtml } from '../../core/html.ts';
import { z } from '../../core/schema.ts';
import type { UnknownRecord } from '../../core/unknown-record.ts';
import { idOfZendesk, recordPathOfZendesk } from '../../core/zendesk-id.ts';
import { rewriteReferences } from '../folder/references.ts';

/** Whether an article is for everybody, according to the list alone. */
export function readSegments({ user_segment_id: one, user_segment_ids: several }: ZendeskArticle) {
  const groups = Array.isArray(several) ? several : several === undefined || several === null ? [] : null;
  if (groups === null || one === undefined) return 'visibility-unknown';
  if (groups.length > 0 || typeof one === 'number') return 'restricted';
  return one === null ? 'public' : 'visibility-unknown';
}

/**
 * Converts an article that is for everybody to a record of our API. All its languages are in `multilingual`, where a draft is not live; the
 * normaliser moves the default language to the record itself.
 * @param origins of the help centre; links to its articles and sections are converted to our form
 */
export function toArticleRecord(
  article: ZendeskArticle,
  translations: readonly ZendeskTranslation[],
  attachments: readonly ZendeskAttachment[],
  origins: readonly string[],
): UnknownRecord {
  const files = attachments.map(
    ({ content_url, file_name }) =>
      `<li><a href="${escapeHtml(content_url)}">${escapeHtml(file_name ?? content_url)}</a></li>`,
  );
  const list = files.length === 0 ? '' : `\n<ul>${files.join('')}</ul>`;
  return {
    article_id: idOfZendesk(article.id),
    category_id: article.section_id ? `s${article.section_id}` : null,
    tags: article.label_names ?? [],
    is_published: isDraftContradicted(article, translations) ? null : isPublished(translations),
    is_private: false,
    permission_groups: null,
    created_at: article.created_at,
    updated_at: article.updated_at,
    is_featured: article.promoted ?? false,
    sort_order: article.position ?? null,
    multilingual: translations.map(({ locale, title, body, draft, hidden, updated_at, html_url }) => ({
      language_code: locale,
      title,
      slug: zendeskSlug(html_url ?? ''),
      body: body ? rewriteLinks(body, origins) + list : body,
      is_live: isLive(draft, hidden),
      updated_at,
    })),
  };
}

/**
 * Whether the list says that an article is a draft, in its own language, and the translation says that it is not. Then nobody knows which of the
 * two is older.
 */
function isDraftContradicted(
  { draft, locale }: ZendeskArticle,
  translations: readonly ZendeskTranslation[],
): boolean {
  if (draft === false || draft === undefined || draft === null) return false;
  const own = translations.filter((one) => one.locale.toLowerCase() === locale?.toLowerCase());
  return (own.length === 0 ? translations : own).some((one) => one.draft !== true);
}

/** `null` means unknown: no language is certainly published, but one may be. */
function isPublished(translations: readonly ZendeskTranslation[]): boolean | null {
  const states = translations.map(({ draft, hidden }) => isLive(draft, hidden));
  if (states.length === 0 || states.includes(true)) return true;
  return states.includes('unknown') ? null : false;
}

/** For the normaliser, `null` is a field without a value, and a text is an invalid value. */
function isLive(draft: unknown, hidden: unknown): unknown {
  if (draft === true || hidden === true) return false;
  const isHiddenKnown = hidden === undefined || hidden === null || hidden === false;
  return draft === false && isHiddenKnown ? true : 'unknown';
}

/** `/hc/en-us/articles/360001-Oil-the-chain` → `Oil-the-chain`. */
export function zendeskSlug(url: string): string | null {
  const [, slug] = /\/(?:articles|sections|categories)\/\d+-([^/?#]+)/.exec(url) ?? [];
  return slug === undefined ? null : decodePercent(slug);
}

/** Converts links `/hc/<locale>/articles/<id>-<slug>` to our articles; makes other URLs of the help centre absolute. */
function rewriteLinks(html: string, origins: readonly string[]): string {
  const [origin = ''] = origins;
  return rewriteReferences(html, (address, kind) => {
    const url = address.startsWith('#') ? null : parseUrl(address, origin);
    if (url === null || !origins.includes(url.origin)) return address;
    const path = kind === 'link' ? recordPathOfZendesk(url.pathname) : null;
    if (path !== null) return path + url.hash;
    return /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : url.href;
  });
}

/**
 * The records of the Zendesk Help Center API that are read, as documented below
 * https://developer.zendesk.com/api-reference/help_center/help-center-api/ (`articles`, `sections`, `categories`, `translations`,
 * `article_attachments`; read in November 2026). Fields that decide visibility are `unknown`, because they must be checked.
 */
const id = z.int().positive();
const text = z.string().nullish();

export const zendeskArticle = z.object({
  id,
  section_id: id.nullish(),
  /** The language that `draft` is about. */
  locale: text,
  /** Whether the article is unpublished in that language. */
  draft: z.unknown().optional(),
  /** `null`: everybody; a number: a group of users. */
  user_segment_id: z.unknown().optional(),
  /** Several groups; only in some responses. */
  user_segment_ids: z.unknown().optional(),
  created_at: text,
  updated_at: text,
  label_names: z.array(z.string()).nullish(),
  position: z.number().nullish(),
  promoted: z.boolean().nullish(),
});

export const zendeskTranslation = z.object({
  locale: z.string(),
  title: text,
  body: text,
  /** Whether the translation is unpublished. */
  draft: z.unknown().optional(),
  /** A field without documentation. A translation in which it is true is not public. */
  hidden: z.unknown().optional(),
  updated_at: text,
  html_url: text,
});

export const zendeskSection = z.object({
  id,
  category_id: id.nullish(),
  parent_section_id: id.nullish(),
  position: z.number().nullish(),
  updated_at: text,
});

export const zendeskCategory = z.object({ id, position: z.number().nullish(), updated_at: text });

/** A file listed below the text (`block`); only `inline` files belong to one language. */
export const zendeskAttachment = z.object({ content_url: z.string(), file_name: text });

export type ZendeskArticle = z.output<typeof zendeskArticle>;
type ZendeskTranslation = z.output<typeof zendeskTranslation>;
type ZendeskAttachment = z.output<typeof zendeskAttachment>;
