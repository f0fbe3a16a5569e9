import { feedLimits } from '../feed-limits.ts';
import { type LlmsLanguage, llmsFiles } from '../llms/llms-files.ts';
import { safeUrl } from '../llms/llms-sections.ts';
import { jsonLine } from '../records/json-lines.ts';
import type { DocumentRecord } from '../records/record-schemas.ts';
import {
  categoryHeadings,
  fullTextPath,
  sourceHead,
  sourceSeparator,
  sourceTail,
  sourceText,
  startOfRecord,
  textHead,
} from '../source-pages.ts';
import type { Verification } from './findings.ts';

/** Verifies what the feed has for people and models to read from the beginning: it is made again from the documents. */
export async function verifyTexts(check: Verification): Promise<void> {
  const { manifest, read, documents, report } = check;
  const { site, files, languages } = manifest;
  const expected = new Map<string, string>();
  const published = new Map<string, string>();
  for (const { path, kind } of files)
    if (kind === 'source' || kind === 'llms') published.set(path, await read(path));
  const urls = new Set(
    [...published.values()].flatMap((text) => text.match(/(?<=\]\()[^()\s]+(?=\))/g) ?? []),
  );
  // A site that existed before its feed has an llms.txt of its own.
  const hasLlms = files.some(({ kind }) => kind === 'llms');
  const ofLanguage = languages.map((entry): LlmsLanguage => {
    const all = [...documents.values()].map(({ record }) => record);
    const own = all.filter(({ language }) => language === entry.language);
    const headings = categoryHeadings(own.map(({ category }) => category?.path ?? []));
    const articles = own.map((record, at) => `${headings[at]}${sourceText(record)}`);
    const text = textHead(entry, site.url, languages.length) + articles.join('');
    expected.set(`feed/${entry.language}/source.txt`, text);
    if (hasLlms) expected.set(fullTextPath({ languages }, entry.language), text);
    const records = own.map((record) => startOfRecord(jsonLine(record))).join(sourceSeparator);
    const page = sourceHead(site, entry.language) + records + sourceTail(own.length);
    expected.set(`feed/${entry.language}/source.json`, page);
    return { ...entry, articles: own.map((record) => listed(record, urls)) };
  });
  const urlOf = (path: string) => encodeURI(site.url + path);
  if (hasLlms)
    for (const [path, text] of llmsFiles({ ...site, urlOf, languages: ofLanguage }, feedLimits.llmsChars))
      expected.set(path, text);
  for (const path of new Set([...expected.keys(), ...published.keys()]))
    if (expected.get(path) !== published.get(path)) report(path, 'it is not the text of the documents');
}

/** A document as an `llms.txt` lists it. @param urls the URLs of the published one */
function listed({ title, url, description = '', category }: DocumentRecord, urls: ReadonlySet<string>) {
  const copies = ['index.html.md', '.html.md', '.md'].map((end) => url + end);
  const copy = copies.find((each) => urls.has(safeUrl(each))) ?? '';
  return { title, url: copy, description, path: category?.path ?? [] };
}
