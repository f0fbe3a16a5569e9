import type { ReadFeedFile } from '../feed-reader.ts';
import { cutNote, fullTextHead } from '../llms/full-text.ts';
import { safeTitle, safeUrl } from '../llms/llms-txt.ts';
import { isFeedFile, type Manifest } from '../manifest.ts';
import type { DocumentRecord } from '../records/document-record.ts';
import type { ReportFinding } from './findings.ts';
import { expectSources, type FeedPartitions } from './verify-sources.ts';

/** What the `llms.txt` files of one language must say. */
interface LanguageText {
  /** The link of each document in `llms.txt`: its title, by the address of its Markdown. */
  readonly links: Map<string, string>;
  /** Content of `llms-full.txt`, all parts. */
  readonly fullText: string;
  /** Where the text of the last document ends in it. */
  position: number;
}

/** Compares the files that repeat documents as text with the documents. */
export interface TextFiles {
  /** Takes the documents in the order of the records. */
  add(document: DocumentRecord): void;
  /** Compares, once all documents are known. */
  finish(): Promise<void>;
}

/** Starts the comparison and reads the full texts. */
export async function openTextFiles(
  manifest: Manifest,
  read: ReadFeedFile,
  partitions: FeedPartitions,
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
  const sources = expectSources(manifest, partitions);

  async function checkIndexes(language: string, links: Map<string, string>): Promise<void> {
    const paths = listed.filter(
      (path) => path === `${language}/llms.txt` || path.startsWith(`${language}/llms/`),
    );
    const isOfSite = (url: string) => url.startsWith(safeUrl(manifest.site.url));
    for (const path of paths) {
      for (const [, title, url = ''] of (await readText(path)).matchAll(/^- \[([^\]]*)\]\(([^)]*)\)/gm)) {
        const expected = links.get(url);
        if (expected !== undefined && expected !== title) {
          report('LINK_BROKEN', path, `the link to ${url} is called ${title}, not ${expected}`);
        }
        if (!isOfSite(url)) report('LINK_BROKEN', path, `it links to ${url}, which is not on the site`);
        if (expected === undefined && url.endsWith('.md')) {
          report('LINK_BROKEN', path, `it links to ${url}, which is no document of the feed`);
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
      state.links.set(safeUrl(document.markdown_url), safeTitle(document.title));
      const head = fullTextHead(document);
      const { markdown } = document.content;
      // Articles come in the order of the records, so each search begins where the last one ended.
      const start = state.fullText.indexOf(head, state.position);
      const end = start + head.length;
      const isWhole = state.fullText.startsWith(markdown, end);
      const rest = isWhole ? -1 : state.fullText.indexOf(cutNote(document.markdown_url), end);
      const isCut = rest >= 0 && markdown.startsWith(state.fullText.slice(end, rest));
      if (start >= 0 && (isWhole || isCut)) state.position = isWhole ? end + markdown.length : rest;
      else {
        report(
          'HASH_WRONG',
          `${document.language}/llms-full.txt`,
          `it does not have the text of ${document.id}`,
        );
      }
    },
    async finish() {
      await sources.check(read, report);
      for (const [language, { links }] of languages) await checkIndexes(language, links);
      const [first] = languages.keys();
      if (
        first !== undefined &&
        (await readText('llms-full.txt')) !== (await readText(`${first}/llms-full.txt`))
      ) {
        report('HASH_WRONG', 'llms-full.txt', `it is not ${first}/llms-full.txt`);
      }
      const root = await readText('llms.txt');
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

/** Reports paths that are unsafe, listed twice, out of order, or not of a feed; gives whether all files may be read. */
export function verifyPaths({ files }: Manifest, report: ReportFinding): boolean {
  let isSafe = true;
  let previous = '';
  for (const { path } of files) {
    const isInside = path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
    if (!isInside || /[\\\0]|^[a-z]:/i.test(path)) {
      isSafe = false;
      report('MANIFEST_INVALID', 'feed/manifest.json', `${JSON.stringify(path)} is no path of a site`);
    } else if (!isFeedFile(path)) {
      report('MANIFEST_INVALID', 'feed/manifest.json', `${path} is no file of a feed`);
    }
    if (path <= previous) {
      report('MANIFEST_INVALID', 'feed/manifest.json', `${path} is listed twice or out of order`);
    }
    previous = path;
  }
  return isSafe;
}
