/** Longest id of an author that is published, in UTF-16 units. */
const maxLength = 200;

const allowed = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}_.:-]*$/u;

/**
 * Names that scripts read from `document`, `window`, forms or plain objects, where an element with such an id would be found instead (DOM
 * clobbering). The list has the lower-case ones; camelCase names are matched by a pattern.
 */
const scriptNames = new Set(
  (
    'attributes body children closed content cookie constructor dir doctype domain elements embeds event external firstchild ' +
    'focus form forms frames head hidden history id images lang lastchild length links location method name navigator open ' +
    'opener origin parent performance plugins prefix print referrer scripts screen self status stop style submit target ' +
    'text title top write writeln'
  ).split(' '),
);

const camelCase = /^[a-z]+[A-Z][A-Za-z]*$/;

/** Prefix of ids that could clash with names used by scripts. */
const prefix = 'h-';

/** The published form of an author's id, or `null` if it cannot be published. */
export function safeId(id: string | null): string | null {
  if (id === null || id.length > maxLength || !allowed.test(id)) return null;
  return camelCase.test(id) || scriptNames.has(id) ? prefix + id : id;
}

/** Ids of the theme's own elements; a heading must not use them. */
export const pageIds: readonly string[] = ['main', 'topics'];

/** Whether a fragment means the top of a page, even without an element with this id (HTML, "indicated part of the document"). */
export function isTopOfPage(fragment: string): boolean {
  return fragment.toLowerCase() === 'top';
}
