import { guardLoss, guardReplaced, sumLanguages } from '../../core/guard-loss.ts';
import { manifestPath, type PublishedSite, synonymsPath } from '../../feed/read/feed-reader.ts';
import { findListed, type Manifest, type ManifestFile, recordFile } from '../../feed/read/manifest.ts';
import { invalidFeed, parseManifest, readFeedFile, readSynonymLine } from '../../feed/read/read-feed.ts';
import { linesOf } from '../../feed/records/json-lines.ts';
import { refuseOlder } from '../follow/follow-feed.ts';
import type { FeedCopy } from './feed-copy.ts';
import { type LanguageIndex, makeLanguageIndex } from './language-index.ts';
import { createPassageIndex, type PassageIndex } from './passage-index.ts';

/** A feed in memory. */
interface LoadedFeed {
  readonly index: PassageIndex;
  readonly manifest: Manifest;
  /** Tag of the manifest; `null` if the server sends none, or the feed is a copy. */
  readonly etag: string | null;
  /** The languages with the hashes of their files. */
  readonly languages: ReadonlyMap<string, LanguageIndex>;
  /** Hash of the synonyms, with their groups; `null`: their file was damaged. */
  readonly synonyms: { readonly sha256: string; readonly groups: readonly (readonly string[])[] } | null;
}

interface LoadOptions {
  /** Copy of the files of a feed that is read from a URL; `null`: none. */
  readonly copy: FeedCopy | null;
  /** Largest loss of documents that is accepted, in percent; `null`: no limit. */
  readonly maxDropPercent: number | null;
  /** Called now and then with the number of documents so far. May throw to stop. */
  readonly onProgress: (documents: number) => Promise<void>;
}

/**
 * Loads a published feed. A language whose files did not change is taken from the feed of before.
 * @param before the feed that was loaded last, or `null`
 * @returns `busy` if the feed is being uploaded
 * @throws FEED_INVALID, FEED_UNREACHABLE, FEED_BEHIND, MASS_DELETE, what `onProgress` throws
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
  if (before !== null) guardRun(before.manifest, manifest, options.maxDropPercent);
  const read = (file: ManifestFile) => readFeedFile(site.read, file);
  const loaded = await loadFiles(manifest, before, options.copy?.through(read) ?? read, options);
  if (loaded === 'busy') return loaded;
  if (before !== null) guardIds(before.index, loaded.index, options.maxDropPercent);
  options.copy?.keep(answer.bytes, manifest);
  return { ...loaded, etag: loaded.synonyms === null ? null : answer.etag };
}

/** Loads the copy of a feed that cannot be reached; `null` if there is none. */
export async function loadCopy(options: LoadOptions): Promise<LoadedFeed | null> {
  const bytes = options.copy?.manifest() ?? null;
  if (options.copy === null || bytes === null) return null;
  const loaded = await loadFiles(parseManifest(bytes), null, options.copy.read, options);
  return loaded === 'busy' ? null : loaded;
}

async function loadFiles(
  manifest: Manifest,
  before: LoadedFeed | null,
  read: (file: ManifestFile) => Promise<Uint8Array | null>,
  { onProgress }: LoadOptions,
): Promise<LoadedFeed | 'busy'> {
  const languages = new Map<string, LanguageIndex>();
  let documents = 0;
  for (const { language } of manifest.languages) {
    const files = (['chunks', 'documents'] as const).map((kind) => {
      const file = recordFile(manifest, language, kind);
      if (file === null) throw invalidFeed(`${manifestPath} lists no ${kind} in ${language}`);
      return file;
    });
    const key = [language, ...files.map(({ sha256 }) => sha256)].join(' ');
    const known = before?.languages.get(key);
    if (known === undefined) {
      const [chunkBytes, documentBytes] = [
        await read(files[0] as ManifestFile),
        await read(files[1] as ManifestFile),
      ];
      if (documentBytes === null || chunkBytes === null) return 'busy';
      const start = documents;
      const onTurn = (count: number) => onProgress(start + count);
      languages.set(key, await makeLanguageIndex(language, documentBytes, chunkBytes, onTurn));
    } else languages.set(key, known);
    documents += languages.get(key)?.listed.length ?? 0;
    await onProgress(documents);
  }
  const synonyms = await readSynonyms(manifest, before, read);
  const index = createPassageIndex({
    languages: [...languages.values()],
    defaultLanguage: manifest.site.default_language,
    // Without synonyms, search still finds most of what it finds with them. They are read again with the next manifest.
    synonyms: (synonyms ?? before?.synonyms)?.groups ?? [],
  });
  return { index, manifest, etag: null, languages, synonyms };
}

async function readSynonyms(
  manifest: Manifest,
  before: LoadedFeed | null,
  read: (file: ManifestFile) => Promise<Uint8Array | null>,
): Promise<LoadedFeed['synonyms']> {
  const file = findListed(manifest, synonymsPath);
  if (file === null) return { sha256: '', groups: [] };
  if (before?.synonyms?.sha256 === file.sha256) return before.synonyms;
  const bytes = await read(file);
  if (bytes === null) return null;
  try {
    const groups = [...linesOf(bytes)].map((line) => readSynonymLine(line, synonymsPath).words);
    return { sha256: file.sha256, groups };
  } catch {
    return null;
  }
}

/** @throws FEED_BEHIND, MASS_DELETE */
function guardRun(before: Manifest, now: Manifest, maxDropPercent: number | null): void {
  const runOf = ({ run }: Manifest) => ({ feedId: run.feed_id, seq: run.seq, builtAt: run.built_at ?? null });
  refuseOlder(runOf(before), runOf(now));
  if (maxDropPercent === null) return;
  const countsOf = ({ languages }: Manifest) =>
    new Map(languages.map(({ language, documents }) => [language, documents]));
  const counts = countsOf(before);
  // An article is one document in each language.
  guardLoss(sumLanguages(counts), sumLanguages(countsOf(now)), {
    ...guardOf(maxDropPercent),
    few: counts.size,
  });
}

/** Refuses a feed with other documents only: it is probably that of another site. @throws MASS_DELETE */
function guardIds(before: PassageIndex, now: PassageIndex, maxDropPercent: number | null): void {
  if (maxDropPercent === null) return;
  const ids = before.listDocuments('', Number.POSITIVE_INFINITY).map(({ id }) => id);
  guardReplaced(
    ids.length,
    ids.some((id) => now.document(id) !== null),
    guardOf(maxDropPercent),
  );
}

function guardOf(maxDropPercent: number) {
  const hint = 'the feed of before still answers; if the loss is intended, start the server again';
  return { noun: 'document', when: 'in the feed of before', maxDropPercent, hint };
}
