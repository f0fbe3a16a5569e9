import { fileAddress } from '../../site/plan/page-url.ts';
import type { Plan, PlannedLanguage } from '../../site/plan/plan.ts';
import { fullTextPath, llmsFolder } from '../source-pages.ts';
import {
  formatLink,
  formatLlmsTxt,
  type LlmsFile,
  type LlmsGroup,
  type LlmsLink,
  type LlmsSection,
  llmsGroups,
  type Openings,
} from './llms-sections.ts';

/** Content of the files besides the articles. */
interface LlmsSettings {
  /** One line about the help centre; absent: a generic line. */
  readonly summary?: string | undefined;
  readonly llmsChars: number;
}

/** A file and its text. */
type LlmsText = readonly [path: string, text: string];

/**
 * Yields every `llms.txt` of a site: one at the root that lists the languages, and one per language, which lists its articles or, if they
 * are too many, a file per top-level category (`<language>/llms/<category id>.txt`, `…-2.txt`). A site with one language has them at the root.
 */
export function* llmsFiles(plan: Plan, settings: LlmsSettings, openings: Openings): Generator<LlmsText> {
  if (plan.languages.length !== 1) yield ['llms.txt', formatLlmsTxt(rootFile(plan, settings))];
  for (const language of plan.languages) {
    const { tag } = language;
    const fullText = link(plan, 'Full text', fullTextPath(plan, tag), 'the articles themselves');
    yield* languageFiles(plan, language, settings, openings, fullText);
  }
}

function rootFile(plan: Plan, settings: LlmsSettings): LlmsFile {
  return {
    title: plan.siteTitle,
    summary: settings.summary ?? `Help articles of ${plan.siteTitle}.`,
    paragraphs: [
      'Each language has a file of its own, which links to the Markdown of every article. ' +
        'A file lists only articles in its own language.',
    ],
    sections: [
      {
        name: 'Languages',
        links: plan.languages.map(({ tag, name, articleIds }) =>
          link(plan, name, `${tag}/llms.txt`, `${tag}, ${countArticles(articleIds.length)}`),
        ),
      },
    ],
    optional: [manifestLink(plan)],
  };
}

function manifestLink(plan: Plan): LlmsLink {
  return link(
    plan,
    'Feed manifest',
    'feed/manifest.json',
    'records, chunks, changes and hashes for machines',
  );
}

function* languageFiles(
  plan: Plan,
  language: PlannedLanguage,
  settings: LlmsSettings,
  openings: Openings,
  fullText: LlmsLink,
): Generator<LlmsText> {
  const path = `${llmsFolder(plan, language.tag)}llms.txt`;
  if (mayFit(llmsGroups(plan, language, openings), settings.llmsChars)) {
    const sections = [...llmsGroups(plan, language, openings)].flatMap((group) => group.sections);
    const whole = formatLlmsTxt(languageFile(plan, language, settings, sections, fullText));
    if (whole.length <= settings.llmsChars) return yield [path, whole];
  }
  const links: LlmsLink[] = [];
  for (const group of llmsGroups(plan, language, openings)) {
    for (const part of groupFiles(plan, language, settings, group)) {
      links.push(link(plan, part.title, part.path, countArticles(part.count)));
      yield [part.path, part.text];
    }
  }
  const categories = [{ name: 'Categories', links }];
  yield [path, formatLlmsTxt(languageFile(plan, language, settings, categories, fullText))];
}

/** `false` if the links alone are too long; stops before formatting all of them. */
function mayFit(groups: Iterable<LlmsGroup>, chars: number): boolean {
  let left = chars;
  for (const { sections } of groups) {
    for (const { links } of sections) {
      for (const item of links) left -= formatLink(item).length;
      if (left < 0) return false;
    }
  }
  return true;
}

function languageFile(
  plan: Plan,
  language: PlannedLanguage,
  settings: LlmsSettings,
  sections: readonly LlmsSection[],
  fullText: LlmsLink,
): LlmsFile {
  return {
    title: language.siteTitle,
    summary: settings.summary ?? `Help articles of ${language.siteTitle} in ${language.name}.`,
    paragraphs: [
      `${countArticles(language.articleIds.length)} in ${language.name} (${language.tag}). ` +
        'The links lead to Markdown, whose front matter has the URL of the web page.',
    ],
    sections,
    optional: [
      fullText,
      plan.languages.length === 1 ? manifestLink(plan) : link(plan, 'Other languages', 'llms.txt', ''),
    ],
  };
}

interface GroupFile {
  readonly path: string;
  readonly title: string;
  readonly count: number;
  readonly text: string;
}

/** The files of one top-level category: as many as its links need, each with its own description. */
function* groupFiles(
  plan: Plan,
  language: PlannedLanguage,
  settings: LlmsSettings,
  group: LlmsGroup,
): Generator<GroupFile> {
  const headChars = formatLlmsTxt(groupFile(plan, language, settings, group.title, [])).length + 200;
  const parts = packSections(group.sections, settings.llmsChars - headChars);
  for (const [at, sections] of parts.entries()) {
    const title = at === 0 ? group.title : `${group.title} (${at + 1})`;
    yield {
      path: `${llmsFolder(plan, language.tag)}llms/${group.categoryId ?? 'unassigned'}${at === 0 ? '' : `-${at + 1}`}.txt`,
      title,
      count: sections.reduce((sum, { links }) => sum + links.length, 0),
      text: formatLlmsTxt(groupFile(plan, language, settings, title, sections)),
    };
  }
}

function groupFile(
  plan: Plan,
  language: PlannedLanguage,
  settings: LlmsSettings,
  title: string,
  sections: readonly LlmsSection[],
): LlmsFile {
  return {
    title: `${language.siteTitle}: ${title}`,
    summary:
      settings.summary ?? `Help articles of ${language.siteTitle} in ${language.name}, filed under ${title}.`,
    paragraphs: [`In ${language.name} (${language.tag}). The links lead to Markdown.`],
    sections,
    optional: [link(plan, 'All categories', `${llmsFolder(plan, language.tag)}llms.txt`, '')],
  };
}

/** Distributes links over files of at most `chars`; a section stays in one file if it fits. */
function packSections(sections: readonly LlmsSection[], chars: number): readonly (readonly LlmsSection[])[] {
  const files: LlmsSection[][] = [];
  let left = 0;
  for (const { name, links } of sections) {
    let current: LlmsLink[] | null = null;
    for (const item of links) {
      const needed = formatLink(item).length + 1 + (current === null ? name.length + 12 : 0);
      if (files.length === 0 || needed > left) {
        files.push([]);
        left = chars;
        current = null;
      }
      if (current === null) {
        current = [];
        files.at(-1)?.push({ name, links: current });
      }
      current.push(item);
      left -= needed;
    }
  }
  return files;
}

function link(plan: Plan, title: string, path: string, description: string): LlmsLink {
  return { title, url: fileAddress(plan, path).url, description };
}

function countArticles(count: number): string {
  return count === 1 ? '1 article' : `${count} articles`;
}
