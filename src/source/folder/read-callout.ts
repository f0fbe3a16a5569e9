import type { CalloutKind } from '../../content/document.ts';
import { byName } from '../../content/policy/elements.ts';
import { upperFirst } from '../../core/shorten.ts';

/** The kinds of vaults and other programs that mean one of the five kinds of GitHub. Others are a note. */
export const calloutKinds = new Map(
  byName<CalloutKind>([
    ['note info', 'note'],
    ['tip hint success check done', 'tip'],
    ['important', 'important'],
    ['warning warn attention', 'warning'],
    ['caution danger error failure fail missing bug', 'caution'],
  ]),
);

/** `[!kind]`, `[!kind|style]`, a sign for folding, and a title up to the end of the line. */
const marker =
  /^\s*<p>\[!([A-Za-z][\w -]*)(?:\|[^\]\n]*)?\]([+-]?)(?:[ \t]+([^\n]*?))?(?:<br \/>)?(?:\n|<\/p>\s*|$)/;

/**
 * Reads a quotation as a callout; `null` if it is none. A kind that GitHub does not have is a note with its name as the title. One that folds is
 * a section that opens with a click.
 * @param html content of the quotation
 */
export function readCallout(html: string): { readonly kind: CalloutKind; readonly html: string } | null {
  const [whole = '', name = '', sign = '', given = ''] = marker.exec(html) ?? [];
  if (whole === '') return null;
  const isClosed = /<\/p>\s*$/.test(whole);
  const rest = html.slice(whole.length);
  const inside = isClosed || rest === '' ? rest : `<p>${rest}`;
  const kind = calloutKinds.get(name.toLowerCase());
  const title =
    given.replace(/<br \/>$/, '').trim() || (kind === undefined || sign !== '' ? titleOf(name) : '');
  const shown =
    sign === ''
      ? title === ''
        ? inside
        : `<p><strong>${title}</strong></p>\n${inside}`
      : `<details${sign === '+' ? ' open' : ''}>\n<summary>${title}</summary>\n${inside}\n</details>`;
  return { kind: kind ?? 'note', html: shown.trim() };
}

function titleOf(name: string): string {
  return upperFirst(name.trim().replaceAll('-', ' ').toLowerCase());
}
