import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSettings } from '../../core/config/load-config.ts';
import { isLocal } from '../../core/config/source-settings.ts';
import { describeExclusions } from '../../core/exclusions.ts';
import type { Problem } from '../../core/problems.ts';
import { reportProblems } from '../../core/report.ts';
import { openSource } from '../../pipeline/open-source.ts';
import { formatLanguages } from '../format-report.ts';
import { findService } from '../remembered-service.ts';
import { escapeControls } from '../terminal.ts';
import type { InitAnswers } from './ask.ts';

/**
 * Reads the source of a new project and describes its content: whether the key works, and how many articles in which languages would be
 * published.
 * @param folder of the project
 * @returns lines for the terminal
 * @throws what reading the source throws; nothing has been written then
 */
export async function checkSource(
  answers: InitAnswers,
  folder: string,
  apiKey: string | null,
): Promise<readonly string[]> {
  const { source } = answers;
  if (isLocal(source)) return describeFolder(answers, folder);
  if (apiKey === null) return ['Key       not checked: LECTERN_API_KEY is not set'];
  const { articles } = await describeSource(answers, folder, apiKey);
  return [
    `Key       accepted${source.kind === 'zendesk' ? ' (Zendesk Guide)' : ''}`,
    `Articles  ${articles}`,
  ];
}

/** A folder with mistakes is described too: the configuration is written all the same, and the author corrects the files later. */
async function describeFolder(answers: InitAnswers, folder: string): Promise<readonly string[]> {
  const { articles, problems } = await describeSource(answers, folder, null);
  const errors = reportProblems(problems).filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return [`Articles  ${articles}`];
  const shown = errors.slice(0, shownErrors).map(({ message }) => `          ${escapeControls(message)}`);
  const more = errors.length > shownErrors ? [`          and ${errors.length - shownErrors} more`] : [];
  return [
    `Articles  ${articles}`,
    `Errors    ${errors.length} to correct; lectern build lists them`,
    ...shown,
    ...more,
  ];
}

/** Maximum number of errors of the folder on the terminal. */
const shownErrors = 10;

/** Reads everything, because this is the only way to find the public articles per language. */
async function describeSource(
  answers: InitAnswers,
  folder: string,
  apiKey: string | null,
): Promise<{ readonly articles: string; readonly problems: readonly Problem[] }> {
  const { source, defaultLanguage } = answers;
  const cache = mkdtempSync(join(tmpdir(), 'lectern-init-'));
  try {
    const { baseUrl, ...kind } = { baseUrl: undefined, ...source };
    const settings = parseSettings({ source: kind, baseUrl, defaultLanguage, cache }, () => '--source');
    const config = findService(settings, true, folder, process.env);
    const read = await openSource(config, {
      apiKey,
      folder,
      offline: false,
      allowMassDelete: true,
      insecureLoopback: false,
      generator: 'lectern init',
    });
    await read.close();
    const { published, languages, excluded, hiddenTranslations } = read.stats;
    const counts = describeCounts(published, languages, {
      ...excluded,
      'hidden-translation': hiddenTranslations,
    });
    const isMissing = published > 0 && languages[defaultLanguage] === undefined;
    const articles = isMissing ? `${counts}; none in the default language, ${defaultLanguage}` : counts;
    return { articles, problems: read.problems };
  } finally {
    try {
      rmSync(cache, { recursive: true, force: true });
    } catch {
      // Windows removes no file that was open a moment ago. It is only public, and in the folder for temporary files.
    }
  }
}

function describeCounts(
  published: number,
  languages: Readonly<Record<string, number>>,
  excluded: Readonly<Record<string, number>>,
): string {
  const inLanguages = formatLanguages(languages);
  const hidden = describeExclusions(excluded);
  return `${published} public${inLanguages === '' ? '' : ` (${inLanguages})`}${hidden === '' ? '' : `; not public: ${hidden}`}`;
}
