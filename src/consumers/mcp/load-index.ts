import { createWordLoader } from '../../core/search/language-words.ts';
import { manifestPath, type PublishedSite, synonymsPath } from '../../feed/read/feed-reader.ts';
import { findListed, type Manifest, type ManifestFile, recordFile } from '../../feed/read/manifest.ts';
import { invalidFeed, parseManifest, readFeedFile, readSynonymLine } from '../../feed/read/read-feed.ts';
import { linesOf } from '../../feed/records/json-lines.ts';
import { refuseOlder } from '../follow/follow-feed.ts';
import type { FeedCopy } from './feed-copy.ts';
import { type LanguageIndex, makeLanguageIndex } from './language-index.ts';
import { createPassageIndex, type PassageIndex } from './passage-index.ts';
import type { RecordFile } from './record-file.ts';

/** A feed that can be searched. */
interface LoadedFeed {
  readonly index: PassageIndex;
  readonly manifest: Manifest;
  /** Tag of the manifest; `null` if the server sends none, or the feed is a copy. */
  readonly etag: string | null;
  /** The languages with the hashes of their files. */
  readonly languages: ReadonlyMap<string, LanguageIndex>;
}

interface LoadOptions {
  /** Copy of the files of a feed that is read from a URL; `null`: none. */
  readonly copy: FeedCopy | null;
  /** Called now and then, also while an index is made later. May throw to stop. */
  readonly onTurn: () => Promise<void>;
}

/** Reads a file that the manifest lists; `null` if it is not there, or another one. */
type OpenListed = (file: ManifestFile) => Promise<RecordFile | null>;

/**
 * Loads a published feed. A language whose files did not change is taken from the feed of before.
 * @param before the feed that was loaded last, or `null`
 * @returns `busy` if the feed is being uploaded
 * @throws FEED_INVALID, FEED_UNREACHABLE, FEED_BEHIND, what `onTurn` throws
 */
export async function loadFeed(
  site: PublishedSite,
  before: LoadedFeed | null,
  options: LoadOptions,
): Promise<LoadedFeed | 'busy'> {
  const answer = await site.readTagged(manifestPath, before?.etag ?? null);
  if (answer === 'unchanged' && before !== null) return before;
  if (answer === null || answer === 'unchanged') throw invalidFeed(`${manifestPath} is missing`);
  const manifest = parseManifest(answer.bytes);
  if (before !== null) refuseOlder(runOf(before.manifest), runOf(manifest));
  const { copy, onTurn } = options;
  const loaded = await loadFiles(manifest, before, openFrom(site, copy), onTurn);
  if (loaded === 'busy') return loaded;
  copy?.keep(answer.bytes, manifest);
  return { ...loaded, etag: answer.etag };
}

function runOf({ run }: Manifest) {
  return { feedId: run.feed_id, seq: run.seq, builtAt: run.built_at ?? null };
}

/** Loads the copy of a feed that cannot be reached; `null` if there is none. */
export async function loadCopy({ copy, onTurn }: LoadOptions): Promise<LoadedFeed | null> {
  const bytes = copy?.manifest() ?? null;
  if (copy === null || bytes === null) return null;
  const open: OpenListed = async (file) => fromCopy(copy, file);
  const loaded = await loadFiles(parseManifest(bytes), null, open, onTurn);
  return loaded === 'busy' ? null : loaded;
}

function openFrom(site: PublishedSite, copy: FeedCopy | null): OpenListed {
  return async (file) => {
    const known = copy === null ? null : fromCopy(copy, file);
    if (known !== null) return known;
    const bytes = await readFeedFile(site.read, file);
    if (bytes === null) return null;
    copy?.add(file, bytes);
    const read = copy === null ? site.openRanges?.(file.path) : copy.open(file);
    return { bytes: file.bytes, read: read ?? ((start, end) => Buffer.from(bytes.subarray(start, end))) };
  };
}

function fromCopy(copy: FeedCopy, file: ManifestFile): RecordFile | null {
  const read = copy.find(file) === null ? null : copy.open(file);
  return read && { bytes: file.bytes, read };
}

const loadWords = createWordLoader();

async function loadFiles(
  manifest: Manifest,
  before: LoadedFeed | null,
  open: OpenListed,
  onTurn: LoadOptions['onTurn'],
): Promise<LoadedFeed | 'busy'> {
  const languages = new Map<string, LanguageIndex>();
  for (const { language } of manifest.languages) {
    const fileOf = (kind: 'documents' | 'chunks'): ManifestFile => {
      const file = recordFile(manifest, language, kind);
      if (file === null) throw invalidFeed(`${manifestPath} lists no ${kind} in ${language}`);
      return file;
    };
    const [documentFile, chunkFile] = [fileOf('documents'), fileOf('chunks')];
    const key = [language, documentFile.sha256, chunkFile.sha256].join(' ');
    let index = before?.languages.get(key);
    if (index === undefined) {
      const files = { documents: await open(documentFile), chunks: await open(chunkFile) };
      if (files.documents === null || files.chunks === null) return 'busy';
      const words = await loadWords(language);
      index = makeLanguageIndex(language, words, files.documents, files.chunks, onTurn);
    }
    languages.set(key, index);
    await onTurn();
  }
  // Most questions are in this language.
  const isDefault = ({ tag }: LanguageIndex) => tag === manifest.site.default_language;
  await [...languages.values()].find(isDefault)?.chunks();
  const synonyms = await readSynonyms(manifest, open);
  if (synonyms === null) return 'busy';
  const index = createPassageIndex({
    languages: [...languages.values()],
    defaultLanguage: manifest.site.default_language,
    synonyms,
  });
  return { index, manifest, etag: null, languages };
}

/** `null` if the file is being uploaded. */
async function readSynonyms(
  manifest: Manifest,
  open: OpenListed,
): Promise<readonly (readonly string[])[] | null> {
  const file = findListed(manifest, synonymsPath);
  if (file === null) return [];
  const opened = await open(file);
  return (
    opened &&
    Array.from(linesOf(opened.read(0, opened.bytes)), (line) => readSynonymLine(line, synonymsPath).words)
  );
}
