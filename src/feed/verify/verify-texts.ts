import { fullText, fullTextPath } from '../llms/full-text.ts';
import { safeUrl } from '../llms/llms-sections.ts';
import { findListed } from '../manifest.ts';
import { sourcePage, sourceRecord, sourceText } from '../source-pages.ts';
import { decodeText, type KnownDocument, type Verification } from './findings.ts';

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
    const text = decodeText(await read(path));
    const articles = own.map(({ record }) => fullText(record)).join('');
    if (!text.endsWith(articles) || text.slice(0, text.length - articles.length).includes('\n---\n'))
      report('TEXT_WRONG', path, 'its articles are not the documents in their order');
  }
  const unlinked = new Set(all.map(({ record }) => safeUrl(record.markdown_url)));
  const known = new Set([
    ...unlinked,
    ...['feed/manifest.json', ...manifest.files.map(({ path }) => path)].map((path) =>
      safeUrl(manifest.site.url + path),
    ),
  ]);
  for (const { path } of manifest.files.filter(({ kind }) => kind === 'llms')) {
    if (path.endsWith('/llms-full.txt')) continue;
    for (const [at, line] of decodeText(await read(path))
      .split('\n')
      .entries()) {
      const [, url] = /^- \[[^\]]*\]\(([^)]*)\)(?:: |$)/.exec(line) ?? [];
      unlinked.delete(url ?? '');
      // The title and the summary, at the top, are texts of the configuration.
      const isText = url === undefined && (at < 4 || !/\]\(|<[a-z!/]|:\/\//i.test(line));
      if (!isText && !known.has(url ?? ''))
        report(
          'LINK_BROKEN',
          path,
          `it has a link to no article and no file of the feed: ${line.slice(0, 200)}`,
        );
    }
  }
  for (const url of unlinked) report('LINK_BROKEN', 'llms.txt', `no llms.txt links to ${url}`);
}

async function verifySource(
  path: string,
  languages: readonly string[],
  documents: readonly KnownDocument[],
  { manifest, read, report }: Verification,
): Promise<void> {
  const text = decodeText(await read(`${path}.json`));
  const page = parsePage(text);
  const expected = { schema: 'lectern/source/2', site: manifest.site, languages };
  const articles = documents.map(({ record }, at) => sourceRecord(record, page?.articles[at]?.text ?? ''));
  const rows = articles.map((article) => JSON.stringify(article)).join(',\n');
  if (text !== `${JSON.stringify(expected).slice(0, -1)},"articles":[\n${rows}\n]}\n`)
    report('TEXT_WRONG', `${path}.json`, 'its articles are not the documents in their order');
  if (decodeText(await read(`${path}.txt`)) !== articles.map(sourceText).join(''))
    report('TEXT_WRONG', `${path}.txt`, `it has other texts than ${path}.json`);
}

function parsePage(text: string) {
  try {
    return sourcePage.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
