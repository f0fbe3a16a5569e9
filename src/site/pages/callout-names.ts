import type { CalloutKind } from '../../content/document.ts';
import { escapeHtml } from '../../core/html.ts';
import type { TextKey, Texts } from './texts.ts';

/** A callout as the content stage writes it, and the start of a first paragraph that is bold as a whole: its title. */
const opening =
  /<div class="callout callout-(note|tip|important|warning|caution)" role="note"([^>]*)>(\s*<p>(?=\s*<(strong|b)>(?:(?!<\/\4>).){1,300}<\/\4>\s*<\/p>))?/gs;

const keys: Readonly<Record<CalloutKind, TextKey>> = {
  note: 'calloutNote',
  tip: 'calloutTip',
  important: 'calloutImportant',
  warning: 'calloutWarning',
  caution: 'calloutCaution',
};

/** Characters at the start of a callout in which its kind is looked for. */
const maxNameChars = 200;

/**
 * Gives every callout of a body the name of its kind in the language of the page, so that colour and sign are not all that tells it.
 * @param isShown whether titles are shown as such, and callouts without one get the name as title; otherwise only assistive technology gets it
 */
export function nameCallouts(html: string, { text }: Texts, isShown: boolean): string {
  return html.replace(
    opening,
    (whole, kind: CalloutKind, attributes: string, title: string | undefined, _bold, at: number) => {
      const name = text(keys[kind]);
      const start = html.slice(at + whole.length, at + whole.length + maxNameChars);
      if (isShown && title === undefined && !beginsWith(start, [name, kind]))
        return `${whole}<p class="callout-title">${escapeHtml(name)}</p>`;
      const paragraph = isShown && title !== undefined ? '<p class="callout-title">' : (title ?? '');
      return `<div class="callout callout-${kind}" role="note" aria-label="${escapeHtml(name)}"${attributes}>${paragraph}`;
    },
  );
}

function beginsWith(html: string, names: readonly string[]): boolean {
  const words = html
    .replace(/<[^>]*>/g, '')
    .trimStart()
    .toLowerCase();
  return names.some(
    (name) => words.startsWith(name.toLowerCase()) && !/^\p{L}/u.test(words.slice(name.length)),
  );
}
