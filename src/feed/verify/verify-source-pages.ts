import type { ReadFeedFile } from '../feed-reader.ts';
import type { Manifest } from '../manifest.ts';
import { sourcePage } from '../records/source-record.ts';
import type { ReportFinding } from './findings.ts';

/** A larger file cannot be parsed in one piece; its hash and the documents are checked all the same. */
const maxBytes = 256 * 1024 * 1024;

/** Verifies that every `source.json` lists the documents there are (`hash` by id). */
export async function verifySourcePages(
  manifest: Manifest,
  read: ReadFeedFile,
  documents: ReadonlyMap<string, string>,
  report: ReportFinding,
): Promise<void> {
  const languages = manifest.languages.map(({ language, documents }) => ({
    folder: `feed/${language}`,
    documents,
  }));
  for (const { folder, documents: expected } of [
    ...languages,
    { folder: 'feed', documents: documents.size },
  ]) {
    const path = `${folder}/source.json`;
    const bytes = await read(path);
    if (bytes === null || bytes.length > maxBytes) continue;
    const parsed = sourcePage.safeParse(parseJson(bytes));
    if (!parsed.success) {
      report('RECORD_INVALID', path, 'it does not have the shape of a source page');
      continue;
    }
    const { articles, files } = parsed.data;
    // The files of the languages are verified by themselves.
    if (files !== undefined && folder === 'feed') continue;
    const known = articles.filter(({ id, hash }) => documents.get(id) === hash);
    if (known.length !== articles.length || articles.length !== expected) {
      report(
        'COUNT_WRONG',
        path,
        `${known.length} of its ${articles.length} articles are documents, of ${expected}`,
      );
    }
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return null;
  }
}
