import { unassigned } from '../site-order.ts';
import { fullTextPath, llmsFolder } from '../source-pages.ts';
import {
  formatLink,
  formatLlmsTxt,
  type LlmsFile,
  type LlmsLink,
  type LlmsSection,
} from './llms-sections.ts';

/** An article as it is listed; the link leads to its Markdown copy. */
interface LlmsArticle extends LlmsLink {
  /** Titles of its categories, outermost first. */
  readonly path: readonly string[];
}

/** The articles of a language, in the order of the site. */
export interface LlmsLanguage {
  readonly language: string;
  readonly name: string;
  /** Of the help centre, in this language. */
  readonly title: string;
  readonly articles: readonly LlmsArticle[];
}

/** What the files are made of: the builder has it from the plan, and a reader from the manifest and the documents. */
interface LlmsSite {
  readonly title: string;
  /** URL of a file of the site. */
  readonly urlOf: (path: string) => string;
  /** One line about the help centre; absent: a generic line. */
  readonly summary?: string | undefined;
  readonly languages: readonly (Pick<LlmsLanguage, 'language' | 'name'> & {
    readonly articles: { readonly length: number };
  })[];
}

/** A file and its text. */
export type LlmsText = readonly [path: string, text: string];

/**
 * Yields every `llms.txt` of a site: one at the root that lists the languages, and one per language, which lists its articles or, if they
 * are too many, files of the articles of one top-level category (`<language>/llms/<number>.txt`). A site with one language has them at the root.
 * @param maxChars a longer `llms.txt` is divided
 */
export function* llmsFiles(
  site: LlmsSite & { readonly languages: readonly LlmsLanguage[] },
  maxChars: number,
): Generator<LlmsText> {
  yield* rootFiles(site);
  for (const language of site.languages) yield* languageFiles(site, language, maxChars);
}

/** The one at the root of a site with several languages. */
export function rootFiles(site: LlmsSite): readonly LlmsText[] {
  return site.languages.length === 1 ? [] : [['llms.txt', formatLlmsTxt(rootFile(site))]];
}

function rootFile(site: LlmsSite): LlmsFile {
  return {
    title: site.title,
    summary: site.summary ?? `Help articles of ${site.title}.`,
    paragraphs: [
      'Each language has a file of its own, which links to the Markdown of every article. ' +
        'A file lists only articles in its own language.',
    ],
    sections: [
      {
        name: 'Languages',
        links: site.languages.map(({ language, name, articles }) =>
          link(site, name, `${language}/llms.txt`, `${language}, ${countArticles(articles.length)}`),
        ),
      },
    ],
    optional: [manifestLink(site)],
  };
}

function manifestLink(site: LlmsSite): LlmsLink {
  return link(
    site,
    'Feed manifest',
    'feed/manifest.json',
    'records, chunks, changes and hashes for machines',
  );
}

/** Those of one language, as {@link llmsFiles} yields them. */
export function* languageFiles(
  site: LlmsSite,
  language: LlmsLanguage,
  maxChars: number,
): Generator<LlmsText> {
  const folder = llmsFolder(site, language.language);
  const groups = groupArticles(language.articles);
  const sections = groups.flatMap((group) => group.sections);
  const chars = language.articles.reduce((sum, article) => sum + formatLink(article).length, 0);
  const whole = chars > maxChars ? null : formatLlmsTxt(languageFile(site, language, sections));
  if (whole !== null && whole.length <= maxChars) return yield [`${folder}llms.txt`, whole];
  const links: LlmsLink[] = [];
  for (const group of groups) {
    const head = formatLlmsTxt(groupFile(site, language, group.title, [])).length + 200;
    for (const [at, part] of packSections(group.sections, maxChars - head).entries()) {
      const title = at === 0 ? group.title : `${group.title} (${at + 1})`;
      const path = `${folder}llms/${links.length + 1}.txt`;
      const count = part.reduce((sum, section) => sum + section.links.length, 0);
      links.push(link(site, title, path, countArticles(count)));
      yield [path, formatLlmsTxt(groupFile(site, language, title, part))];
    }
  }
  yield [`${folder}llms.txt`, formatLlmsTxt(languageFile(site, language, [{ name: 'Categories', links }]))];
}

interface LlmsGroup {
  readonly title: string;
  readonly sections: readonly LlmsSection[];
}

/** A group per top-level category, with a section per category that has articles. */
function groupArticles(articles: readonly LlmsArticle[]): readonly LlmsGroup[] {
  const groups: { title: string; sections: { name: string; links: LlmsLink[] }[] }[] = [];
  for (const article of articles) {
    const title = article.path[0] ?? unassigned;
    const name = article.path.join(' / ') || unassigned;
    if (groups.at(-1)?.title !== title) groups.push({ title, sections: [] });
    const sections = groups.at(-1)?.sections ?? [];
    if (sections.at(-1)?.name !== name) sections.push({ name, links: [] });
    sections.at(-1)?.links.push(article);
  }
  return groups;
}

function languageFile(site: LlmsSite, language: LlmsLanguage, sections: readonly LlmsSection[]): LlmsFile {
  const { language: tag, name, title, articles } = language;
  return {
    title,
    summary: site.summary ?? `Help articles of ${title} in ${name}.`,
    paragraphs: [
      `${countArticles(articles.length)} in ${name} (${tag}). ` +
        'The links lead to Markdown, whose front matter has the URL of the web page.',
    ],
    sections,
    optional: [
      link(site, 'Full text', fullTextPath(site, tag), 'the articles themselves'),
      site.languages.length === 1 ? manifestLink(site) : link(site, 'Other languages', 'llms.txt', ''),
    ],
  };
}

function groupFile(
  site: LlmsSite,
  { language, name, title }: LlmsLanguage,
  group: string,
  sections: readonly LlmsSection[],
): LlmsFile {
  return {
    title: `${title}: ${group}`,
    summary: site.summary ?? `Help articles of ${title} in ${name}, filed under ${group}.`,
    paragraphs: [`In ${name} (${language}). The links lead to Markdown.`],
    sections,
    optional: [link(site, 'All categories', `${llmsFolder(site, language)}llms.txt`, '')],
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

function link(site: LlmsSite, title: string, path: string, description: string): LlmsLink {
  return { title, url: site.urlOf(path), description };
}

function countArticles(count: number): string {
  return count === 1 ? '1 article' : `${count} articles`;
}
