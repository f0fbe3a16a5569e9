/** Longest id of an author that is published, in UTF-16 units. */
const maxLength = 200;

/** The ids of GitHub may begin with a hyphen (`--log-file=path` becomes `--log-filepath`) or with the mark of a removed emoji. */
const allowed = /^[\p{L}\p{N}\p{M}-][\p{L}\p{N}\p{M}_.:-]*$/u;

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

/**
 * The published form of an author's id, or of a fragment that names it; `null` if it cannot be published. Editors make ids from the text of
 * a heading, with spaces, quotes and invisible characters.
 */
export function safeId(id: string | null): string | null {
  if (id === null || id.length > maxLength) return null;
  const clean = allowed.test(id) ? id : cleanId(id);
  if (clean === '') return null;
  return camelCase.test(clean) || scriptNames.has(clean) ? prefix + clean : clean;
}

/** The id that a fragment names on another page. */
export function idOfFragment(fragment: string): string {
  // It can be the id of a heading, which has no prefix.
  return scriptNames.has(fragment) ? fragment : (safeId(fragment) ?? fragment);
}

/** Keeps letters and digits of every script. Other characters become their code: `C`, `C++` and `C#` are different ids. */
function cleanId(id: string): string {
  return id
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{N}\p{M}_.:-]/gu, (character) => `-${character.codePointAt(0)?.toString(16)}`)
    .replace(/^[^\p{L}\p{N}]+/u, '');
}

/** Ids of the theme's own elements; a heading must not use them. */
export const pageIds: readonly string[] = ['main', 'topics'];

/** Whether a fragment means the top of a page, even without an element with this id (HTML, "indicated part of the document"). */
export function isTopOfPage(fragment: string): boolean {
  return fragment.toLowerCase() === 'top';
}
