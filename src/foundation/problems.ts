/** How much a problem matters: `error` and `warning` fail a `--strict` run, `info` never does. */
export type Severity = 'error' | 'warning' | 'info';

interface ProblemKind {
  readonly severity: Severity;
  /** What the author or operator can do about it: one sentence. */
  readonly hint: string;
}

/**
 * Every kind of odd thing a run can report. A code is permanent: reports, annotations and `docs/problems.md` key on it.
 * One row per kind, sorted by stage.
 */
export const problemKinds = {
  // source
  RECORD_NOT_AN_OBJECT: {
    severity: 'error',
    hint: 'The article list contains an entry that is not an object; ask the service operator.',
  },
  ID_INVALID: {
    severity: 'error',
    hint: 'Ids are ten letters or digits; the record was skipped.',
  },
  DUPLICATE_ID: {
    severity: 'warning',
    hint: 'Two records carry the same id; the most recently updated one was kept.',
  },
  FIELD_INVALID: {
    severity: 'warning',
    hint: 'The field has an unexpected type and was read as missing; correct it in the knowledge base.',
  },
  TEXT_DAMAGED: {
    severity: 'error',
    hint: 'Some characters are shown as "\ufffd". Ask the service operator to send JSON in UTF-8, whatever charset the answer declares.',
  },
  LANGUAGE_INVALID: {
    severity: 'warning',
    hint: 'Use a BCP 47 language tag such as "de" or "pt-BR"; the translation was skipped.',
  },
  LANGUAGE_NORMALISED: {
    severity: 'info',
    hint: 'Language tags have hyphens (BCP 47); write the language code that way in the knowledge base.',
  },
  DUPLICATE_TRANSLATION: {
    severity: 'warning',
    hint: 'Two translations have the same language; the first was kept. Delete one of them.',
  },
  TRANSLATION_INCOMPLETE: {
    severity: 'info',
    hint: 'A translation counts when it has a title and a body; complete it to publish it.',
  },
  ARTICLE_NOT_PUBLISHABLE: {
    severity: 'warning',
    hint: 'The article is public but has no language with both a title and a body.',
  },
  VISIBILITY_UNKNOWN: {
    severity: 'warning',
    hint: 'Visibility is missing or invalid, so the article was skipped; set is_published and is_private.',
  },
  ARTICLE_GONE: {
    severity: 'info',
    hint: 'The article was deleted or hidden during the build and was skipped.',
  },
  CATEGORY_UNKNOWN: {
    severity: 'warning',
    hint: 'The article names a category that does not exist; it is listed under "unassigned".',
  },
  CATEGORY_ORPHAN: {
    severity: 'warning',
    hint: 'The parent category does not exist; the category was placed at the top level.',
  },
  CATEGORY_CYCLE: {
    severity: 'warning',
    hint: 'The category is its own ancestor; the loop was cut and it was placed at the top level.',
  },
  CATEGORY_UNTITLED: {
    severity: 'warning',
    hint: 'The category has no title in any language and is shown with its id; give it a title.',
  },
  TRANSLATION_VISIBILITY_UNKNOWN: {
    severity: 'warning',
    hint: 'Visibility is missing or invalid, so the translation was skipped; set is_live to true or false.',
  },
  ARTICLE_MISMATCH: {
    severity: 'error',
    hint: 'The service returned a different article than the one requested; it was skipped.',
  },
  LANGUAGE_SPELLINGS: {
    severity: 'warning',
    hint: 'One language is spelled in several ways; one spelling was used for all. Use one in the knowledge base.',
  },
  LANGUAGE_DEPRECATED: {
    severity: 'info',
    hint: 'Use the current code in the knowledge base; the paths of its pages change with it.',
  },
  CATEGORY_ID_INVALID: {
    severity: 'error',
    hint: 'The category has no id that can be part of an address; it was skipped.',
  },
  STATISTICS_UNAVAILABLE: {
    severity: 'warning',
    hint: 'The most viewed articles are not shown; check whether the key may read statistics.',
  },
  SNAPSHOT_DISCARDED: {
    severity: 'info',
    hint: 'Everything was read again; without a snapshot there is nothing to compare the number of articles with.',
  },
  // plan
  SLUG_REPLACED: {
    severity: 'info',
    hint: 'The slug is not a safe path segment, so another one is used. Correct the slug.',
  },
  ADDRESS_TAKEN: {
    severity: 'warning',
    hint: 'Another page has the address already (upper and lower case count as the same), so the id was added to it; give one of them another slug.',
  },
  CATEGORY_EMPTY: {
    severity: 'info',
    hint: 'The category holds no public article, so it has no page; file an article there or delete it.',
  },
  LANGUAGE_EMPTY: {
    severity: 'warning',
    hint: 'No public article is translated into this language, so it has no pages; translate one or remove the language from languages.',
  },
  LINK_TO_HIDDEN: {
    severity: 'warning',
    hint: 'The linked article or category is not public, so the text was kept without the link; publish the target or edit the text.',
  },
  LINK_BROKEN: {
    severity: 'warning',
    hint: 'The linked article or category does not exist, so the text was kept without the link; correct the address.',
  },
  ANCHOR_MISSING: {
    severity: 'warning',
    hint: 'The link leads to the page, but the page has no such anchor; correct the part after #, or bring the heading back.',
  },
  LINK_RELATIVE: {
    severity: 'warning',
    hint: 'The address is relative and names no article; make it absolute, or set content.hosts to the help centre it belongs to.',
  },
  SITE_URL_MISSING: {
    severity: 'warning',
    hint: 'Set siteUrl (--site-url) so that canonical links, sitemaps and the feed hold absolute addresses.',
  },
  // site
  CONTRAST_LOW: {
    severity: 'warning',
    hint: 'Choose a darker site.theme.accent, and a lighter site.theme.accentDark for dark mode, so that everybody can read links and buttons.',
  },
  TEMPLATE_DRIFTED: {
    severity: 'warning',
    hint: 'See what changed with "lectern templates diff", take over what you need, then eject it anew.',
  },
  LOCALE_MISSING: {
    severity: 'info',
    hint: 'The interface of this language is in English; add locales/<language>.json to the folder site.templates names.',
  },
  // content
  LINK_REFUSED: {
    severity: 'warning',
    hint: 'Only http, https, mailto and tel links are published; the text was kept without the link.',
  },
  IMAGE_REFUSED: {
    severity: 'warning',
    hint: 'Images need an http(s) address or a small PNG, GIF, JPEG, WebP or AVIF data: address; the image was removed.',
  },
  IMAGE_RELATIVE: {
    severity: 'warning',
    hint: 'Set content.hosts to the help centre the image belongs to, or make its URL absolute; the image was removed.',
  },
  IMAGE_ALT_MISSING: {
    severity: 'info',
    hint: 'Describe the image in its alt text, or give it alt="" if it is decoration.',
  },
  EMBED_REPLACED: {
    severity: 'warning',
    hint: 'The embedded page became a link; allow its host in content.iframeHosts if you trust it.',
  },
  HIDDEN_TEXT: {
    severity: 'warning',
    hint: 'The text is invisible to readers and was removed; delete it, or make it visible.',
  },
  STYLE_DROPPED: {
    severity: 'info',
    hint: 'Colour and underline are not published. Where they carry meaning, say it in words or make the text bold.',
  },
  ELEMENT_DROPPED: {
    severity: 'info',
    hint: 'The element can run scripts or does nothing on a static page; replace it with text, an image or a link.',
  },
  BODY_TOO_DEEP: {
    severity: 'warning',
    hint: 'The body nests elements too deeply; the innermost were flattened. Simplify its HTML.',
  },
  // media
  MEDIA_NOT_COPIED: {
    severity: 'warning',
    hint: 'The page still points to the original address; fix or replace the file in the knowledge base, or see docs/media.md.',
  },
  // redirects
  REDIRECT_CONFLICT: {
    severity: 'warning',
    hint: 'The redirect was skipped; correct redirects.rules.',
  },
  REDIRECT_LOOP: {
    severity: 'warning',
    hint: 'The redirect was skipped; correct redirects.rules.',
  },
  REDIRECT_TARGET_MISSING: {
    severity: 'warning',
    hint: 'Correct the target in redirects.rules, or publish it.',
  },
  REDIRECT_LIMIT: {
    severity: 'warning',
    hint: 'Readers meet "not found" there; set redirects.oldAddresses to false, or choose a host or format without this limit.',
  },
  ADDRESSES_FORGOTTEN: {
    severity: 'warning',
    hint: 'Restore addresses.json from an older copy of the output and build again; without it, links to renamed pages break.',
  },
  // feed
  PREVIOUS_FEED_MISSING: {
    severity: 'warning',
    hint: 'Right for the very first publication; otherwise correct --since. The feed starts with a new id, and every consumer takes the snapshot.',
  },
  FEED_RESTARTED: {
    severity: 'warning',
    hint: 'The feed has a new id, so every consumer takes the snapshot once. To avoid that, keep the output folder between builds, or pass --since with the address of the published site.',
  },
  INJECTION_SUSPECTED: {
    severity: 'warning',
    hint: 'The text is published unchanged and flagged in the feed; rephrase it unless it is meant for readers.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problemKinds;

/** One odd thing in the knowledge base, as data: terminal, report and annotations all print from this. */
export interface Problem {
  readonly code: ProblemCode;
  /** One sentence with the offending value in it. */
  readonly message: string;
  readonly articleId: string | null;
  readonly categoryId: string | null;
  readonly language: string | null;
}

/** The record a problem belongs to; what is not given is `null`. */
export interface ProblemLocation {
  readonly articleId?: string | null;
  readonly categoryId?: string | null;
  readonly language?: string | null;
}

/** Makes a problem value; severity and hint follow from the code. */
export function problem(code: ProblemCode, message: string, location: ProblemLocation = {}): Problem {
  return {
    code,
    message,
    articleId: location.articleId ?? null,
    categoryId: location.categoryId ?? null,
    language: location.language ?? null,
  };
}

/** How many problems there are of each severity. */
export function countSeverities(
  problems: readonly { readonly severity: Severity }[],
): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of problems) counts[severity] += 1;
  return counts;
}
