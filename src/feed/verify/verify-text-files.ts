import { createHash, type Hash } from 'node:crypto';
import { isSourceWhole, type PartSizes, partName, partOf, sourceBits } from '../../plan/parts.ts';
import type { ReadFeedFile } from '../feed-reader.ts';
import { cutNote, fullTextHead, isPartEnd } from '../llms/full-text.ts';
import { isIndexLine, plainLine, safeTitle, safeUrl } from '../llms/llms-sections.ts';
import type { Manifest } from '../manifest.ts';
import { type DocumentRecord, sha256 } from '../records/record-schemas.ts';
import {
  type SourceFile,
  type SourcePage,
  sourceJson,
  sourceListText,
  sourcePage,
  sourcePageHash,
  sourcePath,
  sourceRecord,
  sourceText,
} from '../source-pages.ts';
import type { ReportFinding } from './findings.ts';

/** Expected content of the `llms.txt` files of one language. */
interface LanguageText {
  /** Link of each document in `llms.txt`: its title and description, by the URL of its Markdown. */
  readonly links: Map<string, readonly [title: string, description: string | undefined]>;
  /** Content of `llms-full.txt`, all parts. */
  readonly fullText: string;
  /** End of the last document's text in it. */
  position: number;
}

/** Compares the documents with the files that repeat them as text. */
export interface TextFiles {
  /** Receives the documents in the order of the records. */
  add(document: DocumentRecord): void;
  /** Compares, once all documents are known. */
  finish(): Promise<void>;
}

/** Starts the comparison and reads the full texts. */
export async function openTextFiles(
  manifest: Manifest,
  read: ReadFeedFile,
  sizes: PartSizes | undefined,
  report: ReportFinding,
): Promise<TextFiles> {
  const listed = manifest.files.map(({ path }) => path);
  const readText = async (path: string): Promise<string> => {
    const bytes = await read(path);
    return bytes === null ? '' : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  };
  const languages = new Map<string, LanguageText>();
  for (const { language } of manifest.languages) {
    const partOf = (path: string) => Number(/-(\d+)\.txt$/.exec(path)?.[1] ?? 1);
    const paths = listed
      .filter((path) => path.startsWith(`${language}/llms-full`))
      .sort((a, b) => partOf(a) - partOf(b));
    const texts: string[] = [];
    for (const path of paths) texts.push(await readText(path));
    languages.set(language, {
      links: new Map(),
      fullText: texts.join('\n'),
      position: 0,
    });
  }
  const sources = expectSources(manifest, sizes);

  function checkForm(path: string, text: string): void {
    const line = text.split('\n').find((each, at) => !isIndexLine(each, at));
    if (line !== undefined)
      report('HASH_WRONG', path, `it has the line ${JSON.stringify(line.slice(0, 200))}`);
  }

  async function checkIndexes(language: string, links: LanguageText['links']): Promise<void> {
    const paths = listed.filter(
      (path) => path === `${language}/llms.txt` || path.startsWith(`${language}/llms/`),
    );
    const isOfSite = (url: string) => url.startsWith(safeUrl(manifest.site.url));
    const index = await readText(`${language}/llms.txt`);
    for (const path of paths) {
      const text = await readText(path);
      checkForm(path, text);
      if (!path.endsWith('/llms.txt') && !index.includes(`(${safeUrl(manifest.site.url + path)})`)) {
        report('FILE_UNLISTED', path, `${language}/llms.txt does not link to it`);
      }
      for (const [, title, url = '', note] of text.matchAll(/^- \[([^\]]*)\]\(([^)]*)\)(?:: (.*))?$/gm)) {
        const expected = links.get(url);
        if (expected !== undefined && expected[0] !== title) {
          report('LINK_BROKEN', path, `the link to ${url} has the title ${title} instead of ${expected[0]}`);
        }
        if (expected?.[1] !== undefined && plainLine(expected[1]) !== (note ?? '')) {
          report('HASH_WRONG', path, `the link to ${url} does not have the description of its document`);
        }
        if (!isOfSite(url)) report('LINK_BROKEN', path, `it links to ${url}, which is not on the site`);
        if (expected === undefined && url.endsWith('.md')) {
          report('LINK_BROKEN', path, `it links to ${url}, which is not a document of the feed`);
        }
        links.delete(url);
      }
    }
    for (const url of links.keys()) {
      report('LINK_BROKEN', `${language}/llms.txt`, `no file of the language links to ${url}`);
    }
  }

  return {
    add(document) {
      const state = languages.get(document.language);
      if (state === undefined) return;
      sources.add(document);
      state.links.set(safeUrl(document.markdown_url), [safeTitle(document.title), document.description]);
      const head = fullTextHead(document);
      const { markdown } = document.content;
      // Articles come in the order of the records, so each search starts at the end of the last match.
      const start = state.fullText.indexOf(head, state.position);
      if (start >= 0 && !isPartEnd(state.fullText.slice(state.position, start))) {
        report('HASH_WRONG', `${document.language}/llms-full.txt`, `it has other text before ${document.id}`);
      }
      const end = start + head.length;
      const note = cutNote(document.markdown_url);
      const isWhole = state.fullText.startsWith(markdown, end);
      const rest = isWhole ? -1 : state.fullText.indexOf(note, end);
      const isCut = rest >= 0 && markdown.startsWith(state.fullText.slice(end, rest));
      if (start >= 0 && (isWhole || isCut)) {
        state.position = isWhole ? end + markdown.length : rest + note.length;
      } else {
        report(
          'HASH_WRONG',
          `${document.language}/llms-full.txt`,
          `it does not have the text of ${document.id}`,
        );
      }
    },
    async finish() {
      await sources.check(read, report);
      for (const [language, { links, fullText, position }] of languages) {
        await checkIndexes(language, links);
        if (!isPartEnd(fullText.slice(position))) {
          report('HASH_WRONG', `${language}/llms-full.txt`, 'it has other text after the articles');
        }
      }
      const [first] = languages.keys();
      if (
        first !== undefined &&
        (await readText('llms-full.txt')) !== (await readText(`${first}/llms-full.txt`))
      ) {
        report('HASH_WRONG', 'llms-full.txt', `it is not ${first}/llms-full.txt`);
      }
      const root = await readText('llms.txt');
      checkForm('llms.txt', root);
      if (!root.startsWith(`# ${plainLine(manifest.site.title)}\n`)) {
        report('HASH_WRONG', 'llms.txt', 'its title is not that of the site');
      }
      for (const [, url = ''] of root.matchAll(/\]\(([^)]*)\)/g)) {
        if (!url.startsWith(safeUrl(manifest.site.url))) {
          report('LINK_BROKEN', 'llms.txt', `it links to ${url}, which is not on the site`);
        }
      }
      for (const language of languages.keys()) {
        if (!root.includes(`${language}/llms.txt)`)) {
          report('LINK_BROKEN', 'llms.txt', `it does not link to the file of ${language}`);
        }
      }
    },
  };
}

/** A larger file is not parsed as a whole; its hash and its documents are still checked. */
const maxBytes = 256 * 1024 * 1024;

/** Expected file of the source page, as JSON and as text. */
interface ExpectedPage {
  readonly language: string;
  readonly part: string;
  /** Hash of each article in order. */
  readonly articles: string[];
  readonly text: Hash;
}

/** Collects the expected content of the source pages, and compares. */
export interface ExpectedSources {
  /** Receives the documents in the order of the records. */
  add(document: DocumentRecord): void;
  check(read: ReadFeedFile, report: ReportFinding): Promise<void>;
}

/** Starts with the files of languages that are not split. */
export function expectSources({ site, languages }: Manifest, sizes: PartSizes | undefined): ExpectedSources {
  const isOnlyLanguage = languages.length === 1;
  const bitsOf = new Map(
    languages.map(({ language, documents }) => [language, sourceBits(documents, sizes)] as const),
  );
  const pages = new Map<string, ExpectedPage>();
  const pageOf = (language: string, part: string): ExpectedPage => {
    const path = sourcePath(language, part, isOnlyLanguage);
    const page = pages.get(path) ?? { language, part, articles: [], text: createHash('sha256') };
    pages.set(path, page);
    return page;
  };
  for (const [language, count] of bitsOf) if (count === 0) pageOf(language, '');
  const all: ExpectedPage = { language: '', part: '', articles: [], text: createHash('sha256') };

  return {
    add(document) {
      const { language, article_id } = document;
      const count = bitsOf.get(language) ?? 0;
      const record = sourceRecord(document);
      const hash = sha256(sourceJson(record, JSON.stringify(record.text)));
      const text = sourceText(record);
      for (const page of [pageOf(language, partName(partOf(article_id, count), count)), all]) {
        page.articles.push(hash);
        page.text.update(text);
      }
    },

    async check(read, report) {
      const listOf = (tags: readonly string[]): readonly SourceFile[] =>
        tags.flatMap((tag) =>
          [...pages]
            .filter(([, { language }]) => language === tag)
            .map(([path, { language, part, articles }]) => ({
              language,
              ...(part === '' ? {} : { part }),
              articles: articles.length,
              json: `${site.url}${path}.json`,
              text: `${site.url}${path}.txt`,
            })),
        );
      const checkPage = async (
        path: string,
        ofLanguages: readonly string[],
        { articles, text }: Pick<ExpectedPage, 'articles'> & { readonly text: string },
        files?: readonly SourceFile[],
      ) => {
        const textBytes = await read(`${path}.txt`);
        if (textBytes !== null && createHash('sha256').update(textBytes).digest('hex') !== text) {
          report('HASH_WRONG', `${path}.txt`, 'its text does not match the documents');
        }
        const bytes = await read(`${path}.json`);
        if (bytes === null || bytes.length > maxBytes) return;
        const page = parsePage(bytes);
        if (page === null) {
          report('RECORD_INVALID', `${path}.json`, 'it does not match the schema of a source page');
          return;
        }
        if (sourcePageHash(page) !== createHash('sha256').update(bytes).digest('hex')) {
          report('RECORD_INVALID', `${path}.json`, 'it is not in the form of a source page');
        }
        const isOwn = JSON.stringify([page.site, page.languages]) === JSON.stringify([site, ofLanguages]);
        if (!isOwn) report('HASH_WRONG', `${path}.json`, 'site or languages are not those of the manifest');
        const found = page.articles.map((article) => sha256(JSON.stringify(article)));
        if (found.length !== articles.length || found.some((hash, at) => hash !== articles[at])) {
          const message = `its ${found.length} articles are not the ${articles.length} documents in their order`;
          report('COUNT_WRONG', `${path}.json`, message);
        }
        if (JSON.stringify(page.files) !== JSON.stringify(files)) {
          report('LINK_BROKEN', `${path}.json`, 'it does not list the files of the source page');
        }
      };
      const checkList = (path: string, ofLanguages: readonly string[]) => {
        const files = listOf(ofLanguages);
        return checkPage(path, ofLanguages, { articles: [], text: sha256(sourceListText(files)) }, files);
      };

      for (const [path, page] of pages) {
        await checkPage(path, [page.language], { ...page, text: page.text.digest('hex') });
      }
      for (const [language, count] of bitsOf) {
        const path = sourcePath(language, '', isOnlyLanguage);
        if (count > 0) await checkList(path, [language]);
      }
      if (isOnlyLanguage) return;
      const tags = languages.map(({ language }) => language);
      if (!isSourceWhole(all.articles.length, sizes)) await checkList('feed/source', tags);
      else await checkPage('feed/source', tags, { ...all, text: all.text.digest('hex') });
    },
  };
}

/** Returns the page as published: the schema would drop unknown fields. */
function parsePage(bytes: Uint8Array): SourcePage | null {
  try {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const page = JSON.parse(text) as SourcePage;
    return sourcePage.strict().safeParse(page).success ? page : null;
  } catch {
    return null;
  }
}
