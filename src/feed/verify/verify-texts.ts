import { messageOf } from '../../core/errors.ts';
import { formatLink, safeTitle, safeUrl } from '../llms/llms-sections.ts';
import { findListed, type ManifestFile } from '../read/manifest.ts';
import type { DocumentRecord } from '../records/record-schemas.ts';
import { categoryHeadings, sourcePage, sourceRecord, sourceText, textHead } from '../source-pages.ts';
import { parsePublished, type Verification } from './findings.ts';

/** Verifies what the feed has for people and models to read from the beginning: it must follow from the documents. */
export async function verifyTexts(check: Verification): Promise<void> {
  for (const entry of check.manifest.languages) await verifySource(entry, check);
  await verifyLlms(check);
}

type Language = Verification['manifest']['languages'][number];

/** Makes the source page again, in the order of `source.json`. */
async function verifySource(
  entry: Language,
  { manifest, read, documents, report }: Verification,
): Promise<void> {
  const { language } = entry;
  const own = new Map([...documents].filter(([, { record }]) => record.language === language));
  const path = `feed/${language}/source.json`;
  const text = await read(path);
  let ordered: readonly DocumentRecord[];
  try {
    const page = parsePublished(text.replaceAll('\n', ''), sourcePage);
    const known = page.articles.map((article) => [article, own.get(article.id)?.record] as const);
    const wrong = known.find(
      ([article, record]) =>
        record === undefined || JSON.stringify(sourceRecord(record)) !== JSON.stringify(article),
    );
    if (wrong !== undefined) throw new Error(`${wrong[0].id} differs from its document`);
    const isWhole = new Set(page.articles.map(({ id }) => id)).size === own.size && known.length === own.size;
    if (!isWhole) throw new Error(`it has ${known.length} articles, and the feed ${own.size} documents`);
    const { summary: _, ...site } = manifest.site;
    if (JSON.stringify([page.site, page.language]) !== JSON.stringify([site, language]))
      throw new Error('it names another site or language');
    ordered = known.flatMap(([, record]) => record ?? []);
  } catch (error) {
    report('TEXT_WRONG', path, messageOf(error));
    return;
  }
  const headings = categoryHeadings(ordered.map(({ category }) => category?.path ?? []));
  const articles = ordered.map((record, at) => `${headings[at]}${sourceText(record)}`);
  const whole = textHead(entry, manifest.site.url, manifest.languages.length) + articles.join('');
  const isOnly = manifest.languages.length === 1;
  for (const copy of [`feed/${language}/source.txt`, isOnly ? 'llms-full.txt' : `${language}/llms-full.txt`])
    if (findListed(manifest, copy) !== null && (await read(copy)) !== whole)
      report('TEXT_WRONG', copy, 'it is not the text of the documents');
}

/** Paragraphs of `llms.txt` that are the same in every help centre, apart from numbers and names of languages. */
const paragraphs =
  /^(?:Each language has a file of its own, which links to the Markdown of every article\. A file lists only articles in its own language\.|\d+ articles? in [^.]+\. The links lead to Markdown, whose front matter has the URL of the web page\.|In [^.]+\. The links lead to Markdown\.)$/;

/** Verifies every line of the files of links: each leads to a document, under its title and with its description, or to a file of the feed. */
async function verifyLlms({ manifest, read, documents, report }: Verification): Promise<void> {
  const { site, files, languages } = manifest;
  const found = new Set<string>();
  const byLink = new Map<string, DocumentRecord>();
  for (const { record } of documents.values())
    for (const end of ['index.html.md', '.html.md', '.md']) byLink.set(safeUrl(record.url + end), record);
  const listed = new Set(
    [...files.map(({ path }) => path), 'feed/manifest.json'].map((path) =>
      safeUrl(encodeURI(site.url + path)),
    ),
  );
  const titles = [site.title, ...languages.map(({ title }) => title)];
  const isKnown = (line: string, { language }: ManifestFile): boolean => {
    const [, title = '', url = ''] = /^- \[([^[\]]*)\]\(([^()]*)\)/.exec(line) ?? [];
    const record = byLink.get(url);
    if (record === undefined) return listed.has(url);
    if (found.has(record.id) || (language !== undefined && record.language !== language)) return false;
    found.add(record.id);
    // The first words of an article without a description are not checked.
    const { description } = record;
    return description === undefined
      ? title === safeTitle(record.title)
      : line === formatLink({ title: record.title, url, description });
  };
  const llms = files.filter(({ kind, path }) => kind === 'llms' && !path.endsWith('llms-full.txt'));
  for (const file of llms) {
    for (const line of (await read(file.path)).split('\n')) {
      const isSummary =
        line.startsWith('> ') &&
        (site.summary === undefined
          ? titles.some((title) => line.startsWith(`> Help articles of ${title}`))
          : line === `> ${site.summary}`);
      const isTitle = titles.some((title) => line === `# ${title}` || line.startsWith(`# ${title}: `));
      if (line === '' || line.startsWith('## ') || isTitle || isSummary || paragraphs.test(line)) continue;
      if (!line.startsWith('- ') || !isKnown(line, file))
        report('TEXT_WRONG', file.path, `it has the line ${line.slice(0, 80)}`);
    }
  }
  if (llms.length > 0 && found.size !== documents.size)
    report('TEXT_WRONG', 'llms.txt', `its files have ${found.size} of ${documents.size} documents`);
}
