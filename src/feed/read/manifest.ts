import { hash } from 'node:crypto';
import { z } from '../../core/schema.ts';
import type { WrittenFile } from '../../output/output.ts';
import { hashSchema, languageSchema } from '../records/record-schemas.ts';

const count = z.int().min(0);

/** Paths of the files of a feed besides the manifest. */
const filePath =
  /^(?:feed\/(?:(?:synonyms|changes\/\d+|[\w-]+\/(?:documents|chunks))\.jsonl|[\w-]+\/source\.(?:json|txt))|(?:[\w-]+\/)?(?:llms(?:-full)?\.txt|llms\/[^/\\]+\.txt))$/;

/** One file of the feed as the manifest lists it. */
const manifestFile = z.object({
  path: z
    .string()
    .regex(filePath)
    .refine((path) => !path.includes('\0'))
    .describe('Relative to the folder of the published site.'),
  sha256: hashSchema,
  bytes: count,
  kind: z.enum(['documents', 'chunks', 'source', 'changes', 'synonyms', 'llms']),
  language: z.string().optional().describe('Language, if the file has only one.'),
  base: hashSchema.optional().describe('In files of changes: `run.state` of the feed before the changes.'),
});

/** `feed/manifest.json`. It may change although no article did. Read it first, and use only files that it lists. */
export const manifestSchema = z.object({
  schema: z.literal('lectern/manifest/3'),
  generator: z.string().describe('Name and version of the program.'),
  site: z.object({
    title: z.string(),
    url: z.string(),
    default_language: z.string(),
    summary: z.string().optional().describe('`feed.summary`, the second line of every `llms.txt`.'),
  }),
  run: z.object({
    feed_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('Random id, created when a feed starts. If it differs, read the whole feed again.'),
    seq: z.int().min(1).describe('Incremented by each run that changes a document; never decreases.'),
    built_at: z.string().optional().describe('ISO 8601, UTC.'),
    state: hashSchema.describe(
      'Changes with any document or chunk: SHA-256 over the lines `<id> <hash>` of all documents, sorted by id, where `hash` is the SHA-256 of ' +
        'the lines of the document and its chunks.',
    ),
    recent: z
      .array(z.object({ day: z.string(), languages: z.record(z.string(), count) }))
      .optional()
      .describe(
        'Documents per language on the last days with a build, the largest count of each day. A run with far fewer ' +
          'fails. Starts again after an accepted loss.',
      ),
  }),
  changes: z
    .object({ first: z.int().min(1), last: z.int().min(1) })
    .optional()
    .describe(
      'Runs whose changes are published; absent: none. A consumer behind `first - 1` must read all documents and chunks.',
    ),
  languages: z
    .array(
      z.object({
        language: languageSchema,
        name: z.string().describe('Of the language, in this language.'),
        title: z.string().describe('Of the help centre, in this language.'),
        documents: count,
        chunks: count,
        tokens: count,
      }),
    )
    .refine((all) => new Set(all.map(({ language }) => language)).size === all.length, 'has one twice'),
  files: z
    .array(manifestFile)
    .refine(
      (files) => files.every(({ path }, at) => path > (files[at - 1]?.path ?? '')),
      'is not sorted by path, or has one twice',
    )
    .describe('Every other file of the feed, sorted by path.'),
});

export type Manifest = z.output<typeof manifestSchema>;
export type ManifestFile = Manifest['files'][number];

/** The published form of the manifest: indented, but with one line per file, language and day. */
export function formatManifest({ files, languages, ...head }: Manifest): string {
  const { recent, ...run } = head.run;
  const days = recent === undefined ? '' : `,\n    "recent": ${formatRows(recent, '    ')}`;
  const runText = JSON.stringify(run, null, 2).replaceAll('\n', '\n  ').slice(0, -4);
  const { schema, generator, site, changes } = head;
  const start = JSON.stringify({ schema, generator, site }, null, 2).slice(0, -2);
  const range = changes === undefined ? '' : `  "changes": ${JSON.stringify(changes)},\n`;
  const lists = `  "languages": ${formatRows(languages, '  ')},\n  "files": ${formatRows(files, '  ')}`;
  return `${start},\n  "run": ${runText}${days}\n  },\n${range}${lists}\n}\n`;
}

function formatRows(rows: readonly unknown[], indent: string): string {
  return rows.length === 0
    ? '[]'
    : `[\n${rows.map((row) => `${indent}  ${JSON.stringify(row)}`).join(',\n')}\n${indent}]`;
}

/** Lists the feed files among the files of an output. @param bases of the files of changes, by path */
export function listFiles(
  files: Iterable<WrittenFile>,
  bases: ReadonlyMap<string, string>,
): readonly ManifestFile[] {
  const listed: ManifestFile[] = [];
  for (const { path, sha256, bytes } of files) {
    const base = bases.get(path);
    if (isFeedFile(path))
      listed.push({ path, sha256, bytes, ...describeFile(path), ...(base === undefined ? {} : { base }) });
  }
  return listed;
}

/** What a path says about a file. */
function describeFile(path: string): Pick<ManifestFile, 'kind' | 'language'> {
  const [, language, name = ''] = /^(?:feed\/)?(?:([\w-]+)\/)?(.+)$/.exec(path) ?? [];
  if (path.startsWith('feed/changes/')) return { kind: 'changes' };
  if (path.startsWith('feed/') && language === undefined) return { kind: 'synonyms' };
  const [, kind] = /^(documents|chunks|source)\./.exec(name) ?? [];
  return {
    kind: (kind ?? 'llms') as ManifestFile['kind'],
    ...(language === undefined || language === 'llms' ? {} : { language }),
  };
}

/** Path of the changes of a run. */
export function changesPath(seq: number): string {
  return `feed/changes/${seq}.jsonl`;
}

/** Path of the documents or chunks of a language. */
export function recordPath(language: string, kind: 'documents' | 'chunks'): string {
  return `feed/${language}/${kind}.jsonl`;
}

/** The file of that path in a manifest; `null` if it lists none. */
export function findListed({ files }: Pick<Manifest, 'files'>, path: string): ManifestFile | null {
  return files.find((file) => file.path === path) ?? null;
}

/** `run.state`. @param hashes of the lines of each document and its chunks, by document id */
export function recordState(hashes: Iterable<readonly [id: string, hash: string]>): string {
  return hash(
    'sha256',
    [...hashes]
      .map(([id, own]) => `${id} ${own}\n`)
      .sort()
      .join(''),
  );
}

/** Whether a file of the output belongs to the feed and is listed. */
export function isFeedFile(path: string): boolean {
  return filePath.test(path);
}
