import { docsPage } from './docs-page.ts';

/** Severity of a problem: `error` and `warning` fail a `--strict` run, `info` never does. */
type Severity = 'error' | 'warning' | 'info';

interface ProblemKind {
  readonly severity: Severity;
  /** Hint for the author or operator. */
  readonly hint: string;
}

/**
 * Every kind of problem a run can report. A code is permanent: reports, annotations and `docs/problems.md` use it. One row per kind, sorted
 * by stage.
 */
export const problemKinds = {
  // source
  ID_INVALID: {
    severity: 'error',
    hint: 'The record was skipped. Ids of articles are ten letters or digits, those of categories up to 64 letters, digits, hyphens or underscores.',
  },
  DUPLICATE_RECORD: {
    severity: 'warning',
    hint: 'Delete one of them. Of records, the one updated last was used; of translations, the first.',
  },
  FIELD_INVALID: {
    severity: 'warning',
    hint: 'Correct it where the article is written. A field of the wrong type is treated as missing, and of a field that is written twice, the last value is used.',
  },
  TEXT_DAMAGED: {
    severity: 'warning',
    hint: 'Some characters are shown as "\ufffd". Correct them where the text is written, or write &#xFFFD; if the character is meant. If many articles are reported, ask the service operator to send JSON in UTF-8.',
  },
  LANGUAGE_INVALID: {
    severity: 'warning',
    hint: 'The translation was skipped. Use a BCP 47 language tag such as "de" or "pt-BR".',
  },
  LANGUAGE_ASSUMED: {
    severity: 'warning',
    hint: 'Set source.locales to the languages of your folder, such as ["de"], or to [] if it has one only: other names are then no languages.',
  },
  LANGUAGE_NORMALISED: {
    severity: 'info',
    hint: 'Write each language in one way in the knowledge base: a current code with hyphens (BCP 47). The paths of its pages change with it.',
  },
  TRANSLATION_INCOMPLETE: {
    severity: 'info',
    hint: 'The translation was skipped. Give it a title and a body to publish it.',
  },
  ARTICLE_NOT_PUBLISHABLE: {
    severity: 'warning',
    hint: 'The article was skipped. Give it a title and a body.',
  },
  VISIBILITY_UNKNOWN: {
    severity: 'warning',
    hint: 'Visibility unknown. The article, translation or category was skipped. Set the fields that publish or hide it (is_published, is_private, draft, is_live) to true or false, and publish_at and unpublish_at to times with a zone or to null.',
  },
  ARTICLE_GONE: {
    severity: 'info',
    hint: 'The article was deleted or hidden during the build and was skipped.',
  },
  CATEGORY_UNKNOWN: {
    severity: 'warning',
    hint: 'Correct the category of the article, or the parent of the category. Until then, the article is listed under "unassigned", and the category at the top level.',
  },
  CATEGORY_UNTITLED: {
    severity: 'warning',
    hint: 'The category has no title in any language. Its id is shown instead. Give it a title.',
  },
  ARTICLE_MISMATCH: {
    severity: 'error',
    hint: 'The service returned another article than the one requested. It was skipped. Ask the service operator.',
  },
  STATISTICS_UNAVAILABLE: {
    severity: 'warning',
    hint: 'The most viewed articles are not shown. Check whether the key may read statistics.',
  },
  SNAPSHOT_DISCARDED: {
    severity: 'info',
    hint: 'All articles were read again, and their number was not compared with the last run.',
  },
  // folder: files of a source, of `public/` and of the templates
  FILE_SKIPPED: {
    severity: 'error',
    hint: 'Its page is not published. Correct the file, or put an underscore before its name if it is not a page.',
  },
  FILE_IGNORED: {
    severity: 'warning',
    hint: 'It was not read. If it is a page, correct what the message says. Replace a symbolic link with a file.',
  },
  MAIN_TEXT_UNKNOWN: {
    severity: 'warning',
    hint: 'Compare the page with its Markdown. Put data-lectern-body on the element with the main text, or name a selector in source.content. If a script makes the page, let the generator write its HTML.',
  },
  CANONICAL_WRONG: {
    severity: 'warning',
    hint: 'Let each page name its own URL as the canonical one, and the html element of a translation its language.',
  },
  PAGE_RENAMED: {
    severity: 'info',
    hint: 'The old URL leads to the page. Without the line, chatbots and links by id see a new article.',
  },
  IMAGE_MISSING: {
    severity: 'warning',
    hint: 'The image was removed. Put the file into the folder of the source, or correct its path.',
  },
  FILE_OUTSIDE: {
    severity: 'error',
    hint: 'The file was not read or published, because only files inside the folder are. Put it into the folder, or publish the folder above.',
  },
  PUBLIC_FILE_SKIPPED: {
    severity: 'info',
    hint: 'It is not published. Give it another name: Lectern writes some files itself, and names that start with a dot are left out, except .well-known.',
  },
  SITE_FILE_KEPT: {
    severity: 'warning',
    hint: 'The feed is complete without it. If you do not need your file, remove it from the site.',
  },
  DIAGRAM_AS_CODE: {
    severity: 'info',
    hint: 'To draw diagrams, run npm install mermaid and copy node_modules/mermaid/dist/mermaid.min.js to templates/assets/mermaid.js.',
  },
  MATH_INVALID: {
    severity: 'warning',
    hint: 'The formula has an unknown command, or more than 5,000 characters. Correct its TeX source.',
  },
  TEXT_TOO_COMPLEX: {
    severity: 'warning',
    hint: 'Some of it is published as text or without its innermost elements. Split its paragraphs, tables or lists, or simplify its HTML.',
  },
  COMMENT_REMOVED: {
    severity: 'warning',
    hint: 'It is treated as a comment for writers, which is not published. Close the comment, or write the text as code if readers need it.',
  },
  MARKUP_UNKNOWN: {
    severity: 'warning',
    hint: 'It is published as it is written. Write it in Markdown or HTML, or build the site with its generator and read the result (--source site:DIR).',
  },
  // plan
  SLUG_REPLACED: {
    severity: 'info',
    hint: 'Another slug is used. Correct the slug of the article, or the name of its file.',
  },
  ADDRESS_TAKEN: {
    severity: 'warning',
    hint: 'Another page or Lectern itself has this path (ignoring case), so the page got another one. In a folder, rename the file or folder; elsewhere, give it another slug.',
  },
  CATEGORY_EMPTY: {
    severity: 'info',
    hint: 'The category gets no page. Add a public article or delete the category.',
  },
  LANGUAGE_EMPTY: {
    severity: 'warning',
    hint: 'The language gets no pages. Translate a public article, or remove the language from languages.',
  },
  LINK_TO_HIDDEN: {
    severity: 'warning',
    hint: 'The article is not public, so what names it was cut. Publish the article, or edit the text.',
  },
  LINK_BROKEN: {
    severity: 'warning',
    hint: 'The link leads to nothing that can be published. Correct its URL.',
  },
  ANCHOR_MISSING: {
    severity: 'warning',
    hint: 'The linked page has no such anchor. Correct the part after #, or restore the heading.',
  },
  URL_RELATIVE: {
    severity: 'warning',
    hint: 'Make the URL of the link or image absolute, or say where it leads: content.hosts is the help centre. In a folder of pages, / is that folder: put the file into it, or publish the folder above.',
  },
  SITE_URL_MISSING: {
    severity: 'info',
    hint: 'Set siteUrl (--site-url) before you publish. Canonical links, sitemaps and the feed need absolute URLs.',
  },
  // site
  CONTRAST_LOW: {
    severity: 'info',
    hint: 'The colour was adjusted. To choose it yourself, set site.theme.accent to a darker colour for light mode and a lighter one for dark mode.',
  },
  TEMPLATE_DRIFTED: {
    severity: 'warning',
    hint: 'Run "lectern templates diff", apply the changes you need, then eject the template again.',
  },
  TEMPLATE_UNUSED: {
    severity: 'warning',
    hint: 'Give the file the name of a template or hook ("lectern templates list"), include it in another template, or delete it.',
  },
  LOCALE_MISSING: {
    severity: 'info',
    hint: 'The interface texts are in English. Add locales/<language>.json to the folder templates.',
  },
  // content
  IMAGE_REFUSED: {
    severity: 'warning',
    hint: 'The image was replaced by its alternative text. Use an http(s) URL, or a PNG, GIF, JPEG, WebP or AVIF that is not too large.',
  },
  IMAGE_ALT_MISSING: {
    severity: 'info',
    hint: 'Describe the image in its alt text, or set alt="" if it is decorative.',
  },
  EMBED_REPLACED: {
    severity: 'warning',
    hint: 'The embedded page was replaced by a link. If it is a player of a host that you trust, add the host to content.iframeHosts. A note is not copied into another one.',
  },
  HIDDEN_TEXT: {
    severity: 'warning',
    hint: 'The text was removed because readers cannot see it. Delete it, or make it visible.',
  },
  ELEMENT_DROPPED: {
    severity: 'info',
    hint: 'Use text, an image or a link instead of the element. If a colour or an underline carries meaning, use words or bold text.',
  },
  CONTENT_LOST: {
    severity: 'warning',
    hint: 'Look at the page. Write the passage in another way, and report this as a bug of Lectern.',
  },
  // media
  MEDIA_NOT_COPIED: {
    severity: 'warning',
    hint: `The page links to the original URL. Replace the file in the knowledge base, or see ${docsPage('content.md')}.`,
  },
  IMAGES_ELSEWHERE: {
    severity: 'info',
    hint: 'The pages load these images from another host. Add the host to media.hosts to copy them.',
  },
  // redirects
  REDIRECT_INVALID: {
    severity: 'warning',
    hint: 'Correct redirects.rules, or publish the target.',
  },
  REDIRECT_LIMIT: {
    severity: 'warning',
    hint: 'Readers of these URLs get "not found", and browsers do not get the header. Set redirects.movedFrom to [], name fewer hosts in content.iframeHosts, or choose a host or format without this limit.',
  },
  ADDRESSES_FORGOTTEN: {
    severity: 'warning',
    hint: 'Old links to renamed pages break. Restore addresses.json from an older output and build again.',
  },
  // feed
  FEED_RESTARTED: {
    severity: 'warning',
    hint: 'The feed has a new id, so every consumer reads the snapshot once. This is expected for the first build. To avoid it, keep the output folder between builds, or pass --since with the URL of the site.',
  },
  SECRET_FOUND: {
    severity: 'error',
    hint: 'Revoke the credential and remove it. If it is only an example, add the fingerprint that the message names to feed.allowSecrets.',
  },
  SECRET_SAMPLE: {
    severity: 'info',
    hint: 'It is published unchanged. To hide this message, add its fingerprint to feed.allowSecrets.',
  },
  FEED_URL_CHANGED: { severity: 'info', hint: 'URLs in the feed have no credentials or private hosts.' },
  INJECTION_SUSPECTED: {
    severity: 'warning',
    hint: 'The text is published unchanged and flagged in the feed. Remove it unless it is meant for readers. Only marks of chat formats and encoded sentences are looked for.',
  },
  // export
  EXPORT_FIELD_SHORTENED: {
    severity: 'warning',
    hint: 'The field exceeds a limit of the platform. It was shortened or dropped. Shorten it in the knowledge base.',
  },
  EXPORT_TOO_LARGE: {
    severity: 'error',
    hint: 'The item exceeds a limit of the platform. It was skipped, and an earlier version is deleted. Split the article.',
  },
  PUSH_ITEM_REFUSED: {
    severity: 'error',
    hint: 'The platform has its earlier version, or none. Correct the cause; the next push sends it again.',
  },
  // a pull from a source
  SYNC_SKIPPED: {
    severity: 'warning',
    hint: 'Only public articles and translations in the chosen languages are pulled from a source. Publish it, or add its language to languages, and pull again; or pull drafts from the API without --source.',
  },
  SYNC_LANGUAGE_MISSING: {
    severity: 'warning',
    hint: 'The article has the title of another language and no text of its own in the default language. Translate it.',
  },
  SYNC_DATES_LOST: {
    severity: 'info',
    hint: 'An article has one date for all languages. The text is complete.',
  },
  SYNC_FILE_NOT_COPIED: {
    severity: 'warning',
    hint: 'Put the files on a server of yours. Images up to 1.4 MB (PNG, JPEG, GIF, WebP, AVIF) are embedded with --embed-images.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problemKinds;

/** One problem in the knowledge base, as data: terminal, report and annotations all use it. */
export interface Problem {
  readonly code: ProblemCode;
  /** One sentence with the wrong value in it. */
  readonly message: string;
  readonly articleId: string | null;
  readonly categoryId: string | null;
  readonly language: string | null;
  /** The file of a folder source, relative to the folder of the configuration; `null` if it is not known yet, or there is none. */
  readonly file: string | null;
  /** Number of the line; the first one is 1. `null` if it is not known yet. */
  readonly line: number | null;
}

/** The record of a problem; missing values are `null`. */
export type ProblemLocation = Partial<Omit<Problem, 'code' | 'message'>>;

/** Creates a problem; the code determines severity and hint. */
export function problem(code: ProblemCode, message: string, location: ProblemLocation = {}): Problem {
  const unplaced = { articleId: null, categoryId: null, language: null, file: null, line: null };
  return { code, message, ...unplaced, ...location };
}

/** Number of problems of each severity. */
export function countSeverities(
  problems: readonly { readonly severity: Severity }[],
): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of problems) counts[severity] += 1;
  return counts;
}
