import { z } from '../foundation/schema.ts';
import type { WrittenFile } from '../output/output.ts';
import { partName, partOf } from '../plan/parts.ts';
import { manifestPath, signaturePath } from './feed-reader.ts';
import { hashSchema, sha256 } from './records/record-schemas.ts';

const count = z.int().min(0);

/** One file of the feed as the manifest lists it. */
const manifestFile = z.object({
  path: z.string().describe('Relative to the folder of the published site.'),
  sha256: hashSchema,
  bytes: count,
  records: count.optional().describe('Number of records; absent for files without records.'),
  kind: z
    .enum(['documents', 'chunks', 'source'])
    .optional()
    .describe('Kind of records; absent for other files.'),
  language: z.string().optional().describe('Language, if the file has only one.'),
  part: z
    .string()
    .optional()
    .describe(
      'If a language has several files: the first bits of SHA-256(article id), in hex. Documents and chunks use `part_bits` bits.',
    ),
  base: hashSchema
    .optional()
    .describe(
      'In files of changes: `root_hash` of the feed before the changes. Absent in the first run, and in runs of earlier versions.',
    ),
});

/** `feed/manifest.json`. It may change although no article did. Read it first, and use only files that it lists. */
export const manifestSchema = z.object({
  schema: z.literal('lectern/manifest/1'),
  generator: z.string().describe('Name and version of the program.'),
  site: z.object({ title: z.string(), url: z.string(), default_language: z.string() }),
  run: z.object({
    feed_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('Random id, created when a feed starts. If it differs, read the whole feed again.'),
    seq: z.int().min(1).describe('Incremented by each run that changes a document; never decreases.'),
    status: z.literal('complete'),
    built_at: z.string().optional().describe('ISO 8601, UTC.'),
    recent: z
      .array(z.object({ day: z.string(), languages: z.record(z.string(), count) }))
      .optional()
      .describe(
        'Documents per language on the last days with a build, the largest count of each day. A run with far fewer ' +
          'fails. Starts again after an accepted loss.',
      ),
  }),
  root_hash: hashSchema.describe('SHA-256 over the lines `<sha256>  <path>` of all files, in order.'),
  changes: z
    .object({ first: z.int().min(1), last: z.int().min(1) })
    .describe('Runs whose changes are published. A consumer behind `first - 1` must read the whole feed.'),
  languages: z.array(
    z.object({
      language: z.string(),
      documents: count,
      chunks: count,
      tokens: count,
      part_bits: z
        .int()
        .min(0)
        .max(32)
        .describe(
          'Number of bits that name the files of documents and chunks; 0: one file each, `documents.jsonl` and `chunks.jsonl`.',
        ),
    }),
  ),
  tokenizer: z.object({ name: z.string(), version: z.string(), encoding: z.string() }),
  chunker: z.object({
    version: z.int().min(1),
    settings: z.object({
      minTokens: z.number(),
      targetTokens: z.number(),
      softMaxTokens: z.number(),
      maxTokens: z.number(),
    }),
  }),
  excluded: z.record(z.string(), count).describe('Articles that are not public, counted by reason.'),
  files: z.array(manifestFile).describe('Every other file of the feed, sorted by path.'),
});

export type Manifest = z.output<typeof manifestSchema>;
export type ManifestFile = Manifest['files'][number];

/** Manifest fields of a file besides path, hash and size. */
export type FeedFileFacts = Pick<ManifestFile, 'records' | 'kind' | 'language' | 'part' | 'base'>;

/** The published form of the manifest: indented, but with one line per file, because a feed may have thousands. */
export function formatManifest({ files, ...head }: Manifest): string {
  const lines = files.map((file) => `    ${JSON.stringify(file)}`).join(',\n');
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "files": [\n${lines}\n  ]\n}\n`;
}

/** Lists the feed files among the files of an output for the manifest; `facts` has the other fields, by path. */
export function listFiles(
  files: Iterable<WrittenFile>,
  facts: ReadonlyMap<string, FeedFileFacts>,
): readonly ManifestFile[] {
  const listed: ManifestFile[] = [];
  for (const { path, sha256, bytes } of files) {
    if (isFeedFile(path)) listed.push({ path, sha256, bytes, ...facts.get(path) });
  }
  return listed;
}

/** The files of a language's documents or chunks, in the order of their parts. */
export function recordFiles(
  { files }: Pick<Manifest, 'files'>,
  language: string,
  kind: 'documents' | 'chunks',
): readonly ManifestFile[] {
  return files
    .filter((file) => file.kind === kind && file.language === language)
    .sort((a, b) => ((a.part ?? '') < (b.part ?? '') ? -1 : 1));
}

/** The `part` of the file that contains the documents or chunks of an article, in a language with `part_bits` = `bits`. */
export function partOfArticle(articleId: string, bits: number): string {
  return partName(partOf(articleId, bits), bits);
}

/** The hash of the whole feed. */
export function rootHash(files: readonly ManifestFile[]): string {
  return sha256(files.map((file) => `${file.sha256}  ${file.path}\n`).join(''));
}

/** Whether a file of the output belongs to the feed: its folder and every `llms*.txt` (twins follow from the records). */
export function isFeedFile(path: string): boolean {
  return (
    path !== manifestPath &&
    path !== signaturePath &&
    (path.startsWith('feed/') ||
      /^(?:[^/]+\/)?llms(?:-full(?:-\d+)?)?\.txt$|^[^/]+\/llms\/[^/]+\.txt$/.test(path))
  );
}
