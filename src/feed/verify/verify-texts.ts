import { messageOf } from '../../foundation/errors.ts';
import { fullText, fullTextPath } from '../llms/full-text.ts';
import { safeUrl } from '../llms/llms-sections.ts';
import { findListed } from '../manifest.ts';
import { type FeedSourcePage, formatSource, sourcePage, sourceRecord, sourceText } from '../source-pages.ts';
import { type KnownDocument, parsePublished, type Verification } from './findings.ts';

/** Verifies the files that repeat the articles as text: the source pages, `llms.txt` and `llms-full.txt`. */
export async function verifyTexts(check: Verification): Promise<void> {
  const { manifest, documents, read, report } = check;
  const all = [...documents.values()];
  const tags = manifest.languages.map(({ language }) => language);
  await verifySource('feed/source', tags, all, check);
  for (const tag of tags) {
    const own = all.filter(({ record }) => record.language === tag);
    if (tags.length > 1) await verifySource(`feed/${tag}/source`, [tag], own, check);
    const path = fullTextPath(tag);
    if (findListed(manifest, path) === null) continue;
    const text = await read(path);
    const articles = own.map(({ record }) => fullText(record)).join('');
    if (!text.endsWith(articles) || text.slice(0, text.length - articles.length).includes('\n---\n'))
      report('TEXT_WRONG', path, 'its articles are not the documents in their order');
  }
  const unlinked = new Set(all.map(({ record }) => safeUrl(record.markdown_url)));
  const paths = ['feed/manifest.json', ...manifest.files.map(({ path }) => path)];
  const known = new Set([...unlinked, ...paths.map((path) => safeUrl(manifest.site.url + path))]);
  for (const path of paths.filter((each) => /llms(?:\.txt$|\/)/.test(each))) {
    // The title and the summary, in the first four lines, are texts of the configuration.
    for (const line of (await read(path)).split('\n').slice(4)) {
      const [, url] = /^- \[[^\]]*\]\(([^)]*)\)(?:: |$)/.exec(line) ?? [];
      unlinked.delete(url ?? '');
      if (url === undefined ? /\]\(|<[a-z!/]|:\/\//i.test(line) : !known.has(url))
        report('LINK_BROKEN', path, `it links to no article and no file of the feed: ${line.slice(0, 200)}`);
    }
  }
  for (const url of unlinked) report('LINK_BROKEN', 'llms.txt', `no llms.txt links to ${url}`);
}

async function verifySource(
  path: string,
  languages: string[],
  documents: readonly KnownDocument[],
  { manifest, read, report }: Verification,
): Promise<void> {
  const json = await read(`${path}.json`);
  const text = await read(`${path}.txt`);
  try {
    const page = parsePublished(json, sourcePage, formatSource);
    const articles = documents.map(({ record }, at) => sourceRecord(record, page.articles[at]?.text ?? ''));
    const expected: FeedSourcePage = { ...page, site: manifest.site, languages, articles };
    if (formatSource(expected) !== json) throw new Error('its articles are not the documents in their order');
    if (articles.map(sourceText).join('') !== text) throw new Error('the text file has other texts');
  } catch (error) {
    report('TEXT_WRONG', `${path}.json`, messageOf(error));
  }
}
