import { oncePerKey } from '../../core/concurrency.ts';
import { escapeHtml } from '../../core/html.ts';
import { textDirection } from '../../core/language.ts';
import type { LanguageTag } from '../../core/model.ts';
import type { LanguageContext } from './context.ts';
import type { CommonView } from './views.ts';

/** What every template of a language gets. */
export function commonView({
  site,
  view,
  texts,
}: Pick<LanguageContext, 'site' | 'view' | 'texts'>): CommonView {
  return { site, language: view, t: texts.text, date: texts.date, inLanguage: languageAttributes };
}

/** ` lang="ar" dir="rtl"` for text of another language than the page's; empty for `null`. */
const languageAttributes = oncePerKey((tag: LanguageTag | null): string =>
  tag === null ? '' : ` lang="${escapeHtml(tag)}" dir="${textDirection(tag)}"`,
);
