import { isDeepStrictEqual } from 'node:util';
import { LecternError } from '../../core/errors.ts';
import type { ReadRange } from '../../core/file-system.ts';
import { createWordLoader } from '../../core/search/language-words.ts';
import { manifestPath, type PublishedSite, synonymsPath } from '../../feed/read/feed-reader.ts';
import { findListed, type Manifest, type ManifestFile } from '../../feed/read/manifest.ts';
import {
  busyFeed,
  invalidFeed,
  parseManifest,
  readFeedFile,
  readSynonymLine,
} from '../../feed/read/read-feed.ts';
import { fileOf, refuseOlder } from '../follow/follow-feed.ts';
import type { FeedCopy } from './feed-copy.ts';
import { type LanguageIndex, makeLanguageIndex } from './language-index.ts';
import { createPassageIndex, type PassageIndex } from './passage-index.ts';
import { type RecordFile, recordFileOf } from './record-file.ts';

/** A feed that can be searched. */
interface LoadedFeed {
  readonly index: PassageIndex;
  readonly manifest: Manifest;
  /** The languages with the hashes of their files. */
  readonly languages: ReadonlyMap<string, LanguageIndex>;
}

interface LoadOptions {
  /** Copy of the files of a feed that is read from a URL; `null`: none. */
  readonly copy: FeedCopy | null;
  /** Called now and then, also while an index is made later. May throw to stop. */
  readonly onTurn: () => Promise<void>;
}

/** Opens a file that the manifest lists. Throws FEED_BUSY if it is not there. */
type OpenListed = (file: ManifestFile) => Promise<RecordFile>;

/**
 * Loads a published feed. A language whose files did not change is taken from the feed of before.
 * @param before the feed that was loaded last, or `null`
 * @throws FEED_BUSY if the feed is being uploaded, FEED_INVALID, FEED_UNREACHABLE, FEED_BEHIND, what `onTurn` throws
 */
export async function loadFeed(
  site: PublishedSite,
  before: LoadedFeed | null,
  options: LoadOptions,
): Promise<LoadedFeed> {
  const bytes = await site.read(manifestPath);
  if (bytes === null) throw invalidFeed(`${manifestPath} is missing`);
  const manifest = parseManifest(bytes);
  if (before !== null && isDeepStrictEqual(manifest, before.manifest)) return before;
  if (before !== null) refuseOlder(runOf(before.manifest), runOf(manifest));
  const { copy, onTurn } = options;
  const loaded = await loadFiles(manifest, before, openFrom(site, copy), onTurn);
  copy?.keep(bytes, manifest);
  return loaded;
}

function runOf({ run }: Manifest) {
  return { feedId: run.feed_id, seq: run.seq, builtAt: run.built_at ?? null };
}

/** Loads the copy of a feed that cannot be reached; `null` if there is none. */
export async function loadCopy({ copy, onTurn }: LoadOptions): Promise<LoadedFeed | null> {
  const bytes = copy?.manifest() ?? null;
  if (copy === null || bytes === null) return null;
  const open: OpenListed = async (file) => (await fromCopy(copy, file)) ?? fail(busyFeed());
  return loadFiles(parseManifest(bytes), null, open, onTurn).catch((error: unknown) =>
    isBusy(error) ? null : fail(error),
  );
}

/** Whether files are missing, or differ from the manifest. */
export function isBusy(error: unknown): boolean {
  return error instanceof LecternError && error.code === 'FEED_BUSY';
}

function fail(error: unknown): never {
  throw error;
}

function openFrom(site: PublishedSite, copy: FeedCopy | null): OpenListed {
  return async (file) => {
    if (copy === null && site.openRanges !== undefined) {
      const read = site.openRanges(file.path);
      return read === null ? fail(busyFeed()) : recordFileOf(read, file);
    }
    const known = copy === null ? null : await fromCopy(copy, file);
    if (known !== null) return known;
    const bytes = await readFeedFile(site.read, file);
    if (bytes === null) throw busyFeed();
    copy?.add(file, bytes);
    return recordFileOf(copy?.open(file) ?? rangesOf(bytes), file);
  };
}

function rangesOf(bytes: Uint8Array): ReadRange {
  return (start, end, into = Buffer.allocUnsafe(end - start)) => {
    const range = bytes.subarray(start, end);
    into.set(range);
    return into.subarray(0, range.length);
  };
}

/** A file of the copy; `null` if it is not there, or damaged. */
async function fromCopy(copy: FeedCopy, file: ManifestFile): Promise<RecordFile | null> {
  const read = copy.open(file);
  if (read === null) return null;
  const found = recordFileOf(read, file);
  return found
    .eachLine(
      () => {},
      async () => {},
    )
    .then(
      () => found,
      () => null,
    );
}

const loadWords = createWordLoader();

async function loadFiles(
  manifest: Manifest,
  before: LoadedFeed | null,
  open: OpenListed,
  onTurn: LoadOptions['onTurn'],
): Promise<LoadedFeed> {
  const languages = new Map<string, LanguageIndex>();
  for (const { language } of manifest.languages) {
    const documentFile = fileOf(manifest, language, 'documents');
    const chunkFile = fileOf(manifest, language, 'chunks');
    const key = [language, documentFile.sha256, chunkFile.sha256].join(' ');
    let index = before?.languages.get(key);
    if (index === undefined) {
      const files = [await open(documentFile), await open(chunkFile)] as const;
      index = await makeLanguageIndex(language, await loadWords(language), ...files, onTurn);
    }
    languages.set(key, index);
    await onTurn();
  }
  // Most questions are in this language.
  const isDefault = ({ tag }: LanguageIndex) => tag === manifest.site.default_language;
  await [...languages.values()].find(isDefault)?.chunks();
  const index = createPassageIndex({
    languages: [...languages.values()],
    defaultLanguage: manifest.site.default_language,
    synonyms: await readSynonyms(manifest, open),
  });
  return { index, manifest, languages };
}

async function readSynonyms(manifest: Manifest, open: OpenListed): Promise<readonly (readonly string[])[]> {
  const file = findListed(manifest, synonymsPath);
  if (file === null) return [];
  const groups: (readonly string[])[] = [];
  const { eachLine } = await open(file);
  await eachLine(
    (block, start, end) =>
      groups.push(readSynonymLine(block.toString('utf8', start, end), synonymsPath).words),
    async () => {},
  );
  return groups;
}
