import { feedLimits } from '../feed-limits.ts';
import { type LlmsLanguage, llmsFiles } from '../llms/llms-files.ts';
import { jsonLine } from '../records/json-lines.ts';
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
  // A site that existed before its feed has an llms.txt of its own.
  const hasLlms = files.some(({ kind }) => kind === 'llms');
  const all = Array.from(documents.values(), ({ record }) => record);
  const ofLanguage = languages.map((entry): LlmsLanguage => {
    const own = all.filter(({ language }) => language === entry.language);
    const headings = categoryHeadings(own.map(({ category }) => category?.path ?? []));
    const texts = own.map((record, at) => `${headings[at]}${sourceText(record)}`);
    const text = textHead(entry, site.url, languages.length) + texts.join('');
    expected.set(`feed/${entry.language}/source.txt`, text);
    if (hasLlms) expected.set(fullTextPath({ languages }, entry.language), text);
    const records = own.map((record) => startOfRecord(jsonLine(record))).join(sourceSeparator);
    const page = sourceHead(site, entry.language) + records + sourceTail(own.length);
    expected.set(`feed/${entry.language}/source.json`, page);
    const articles = own.map(({ title, url, description = '', category }) => {
      return { title, url: copyOf(url), description, path: category?.path ?? [] };
    });
    return { ...entry, articles };
  });
  const urlOf = (path: string) => encodeURI(site.url + path);
  if (hasLlms)
    for (const [path, text] of llmsFiles({ ...site, urlOf, languages: ofLanguage }, feedLimits.llmsChars))
      expected.set(path, text);
  const listed = files.filter(({ kind }) => kind === 'source' || kind === 'llms').map(({ path }) => path);
  for (const path of new Set([...listed, ...expected.keys()]))
    if (expected.get(path) !== (await read(path))) report(path, 'it is not the text of the documents');
}

/** URL of the Markdown copy of a page, beside its file. */
function copyOf(url: string): string {
  return url + (url.endsWith('/') ? 'index.html.md' : /\.html?$/.test(url) ? '.md' : '.html.md');
}
