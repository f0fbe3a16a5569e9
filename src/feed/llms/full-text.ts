import type { LanguageTag } from '../../core/model.ts';
import { fileAddress } from '../../site/plan/page-url.ts';
import type { Plan, PlannedLanguage } from '../../site/plan/plan.ts';
import type { DocumentRecord } from '../records/record-schemas.ts';

/** Where the files for language models of a language are: at the top of a site with one language, else in a folder of the language. */
export function llmsFolder({ languages }: Pick<Plan, 'languages'>, language: LanguageTag): string {
  return languages.length === 1 ? '' : `${language}/`;
}

/** Path of the file with all articles of a language. */
export function fullTextPath(plan: Pick<Plan, 'languages'>, language: LanguageTag): string {
  return `${llmsFolder(plan, language)}llms-full.txt`;
}

/** First lines of `llms-full.txt`. */
export function fullTextHead(
  plan: Pick<Plan, 'siteUrl' | 'basePath' | 'languages'>,
  { tag, name, siteTitle }: Pick<PlannedLanguage, 'tag' | 'name' | 'siteTitle'>,
): string {
  return [
    `# ${siteTitle}`,
    `> Every help article of ${siteTitle} in ${name} (${tag}).`,
    ...(plan.languages.length === 1 ? [] : [`Other languages: ${fileAddress(plan, 'llms.txt').url}`]),
  ]
    .join('\n\n')
    .concat('\n');
}

/** One article of `llms-full.txt`. */
export function fullText({
  title,
  url,
  updated_at,
  markdown,
}: Pick<DocumentRecord, 'title' | 'url' | 'updated_at' | 'markdown'>): string {
  const updated = updated_at === undefined ? '' : `\nUpdated: ${updated_at}`;
  return `\n---\n\n# ${title}\n\nURL: ${url}${updated}\n\n${markdown}`;
}
