import { hash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedPosition } from '../../../src/feed/history/feed-position.ts';
import { createFolderReader } from '../../../src/feed/read/feed-reader.ts';
import type { Manifest } from '../../../src/feed/read/manifest.ts';
import { verifyFeed } from '../../../src/feed/verify/verify-feed.ts';
import { cacheTag } from '../../../src/output/lock-cache.ts';
import type { BuildOptions } from '../../../src/pipeline/build-options.ts';
import { copyFeedPosition, readFeedPosition } from '../../support/build-database.ts';
import { copyTree, listEntries } from './copy-tree.ts';
import {
  describeFiles,
  expectSameFiles,
  expectSameJson,
  expectUnmoved,
  type FileStates,
} from './describe-files.ts';
import { expectHistory, type History } from './feed-history.ts';
import { readFeed } from './read-feed.ts';
import type { Outcome, Stage } from './stage.ts';
import type { World } from './world.ts';

/** Differences of a run from the default one. */
export interface RunOptions extends Pick<BuildOptions, 'now'> {
  /** Threads of the incremental run; the clean run uses none. */
  readonly threads: number;
  /** The published site whose feed is continued: the location that is read, and its real folder. */
  readonly since: { readonly place: string; readonly folder: string } | null;
  /** The output as the last run left it, if it was changed since; `null` if unknown. */
  readonly undamaged?: string | null;
  /** Clean builds of earlier runs by their inputs; a build with the same inputs is not repeated. */
  readonly cleanBuilds?: Map<string, CleanBuild>;
}

/** Result of a clean build. */
export interface CleanBuild {
  readonly outcome: Outcome;
  readonly files: FileStates;
}

/**
 * Builds incrementally, and again without any remains of earlier runs from a copy of the same output. Expects the same report, files and
 * bytes. Unchanged files keep inode and time; after a stopped run, all do. The history of the feed must match the documents before and
 * after. A clean build cannot continue a feed with damaged documents, and an incremental one can, because its database knows them: it then
 * equals a clean build from the output before the damage.
 */
export async function buildTwice(
  stage: Stage,
  world: World,
  { now, threads, since, undamaged = null, cleanBuilds }: RunOptions,
): Promise<Outcome> {
  const { project, reading } = stage;
  const [clean, cleanCache] = [join(project.folder, 'clean'), join(project.folder, '.clean')];
  copyTree(project.out, clean);
  // A service is asked again; a snapshot written by a test is the input.
  copyTree(project.cache, cleanCache, (path) => reading === 'snapshot' && path.startsWith('snapshot'));
  markCache(cleanCache);
  // The feed that was published last is an input of a build, like the previous output.
  await copyFeedPosition(project.cache, cleanCache);
  const last = await readFeedPosition(project.cache);
  const position = readPosition(since?.folder ?? project.out);
  const before = describeFiles(project.out);
  const published = since === null ? before : describeFiles(since.folder);
  const options = { now, ...(since === null ? {} : { since: since.place }) };
  const incremental = await stage.run(world, {}, { ...options, threads });
  const after = describeFiles(project.out);
  const buildClean = async (): Promise<CleanBuild> => {
    const folders = cleanBuilds === undefined ? [] : [clean, cleanCache].map(hashEntries);
    const inputs = hash('sha256', JSON.stringify([stage.server.origin, world, options, folders]));
    const fresh = cleanBuilds?.get(inputs) ?? {
      outcome: await stage.run(world, { out: 'clean', cache: '.clean' }, options),
      files: describeFiles(clean),
    };
    cleanBuilds?.set(inputs, fresh);
    return fresh;
  };
  let fresh = await buildClean();
  let continued = published;
  if (undamaged !== null && !('code' in incremental) && isInvalid(fresh.outcome)) {
    copyTree(undamaged, clean);
    fresh = await buildClean();
    if (since === null) continued = describeFiles(undamaged);
  }
  expectSameJson('what the run came to', incremental, fresh.outcome);
  expectSameFiles(['incremental', after], ['clean', fresh.files]);
  expectUnmoved(before, after);
  await expectNothingLeft(stage);
  if ('code' in incremental) expectSameFiles(['after the failed run', after], ['before', before]);
  else {
    const history: History = { world, before: readFeed(continued), after: readFeed(after), position, last };
    expectHistory(history, readPosition(project.out));
    await expectVerified(project.out);
  }
  return incremental;
}

/** Expects that `lectern verify` finds nothing wrong with a feed as it was built. */
async function expectVerified(folder: string): Promise<void> {
  const { read, listFeed } = createFolderReader(folder);
  const { findings } = await verifyFeed(read, (await listFeed?.()) ?? []);
  expectSameJson('what verify finds', findings, []);
}

function isInvalid(outcome: Outcome): boolean {
  return 'code' in outcome && outcome.code === 'FEED_PREVIOUS_INVALID';
}

/** Every path below a folder, with the hash of a file's bytes. */
function hashEntries(folder: string): readonly string[] {
  return [...listEntries(folder)].map(([path, kind]) =>
    kind === 'folder' ? `${path}/` : `${path} ${hash('sha256', readFileSync(join(folder, path)))}`,
  );
}

/** Marks a folder as a cache of the program, which refuses other folders with files. */
function markCache(folder: string): void {
  writeFileSync(join(folder, 'CACHEDIR.TAG'), cacheTag);
}

/** Feed and run of a published site; `null` if it has no feed, or a test damaged its manifest. */
function readPosition(folder: string): FeedPosition | null {
  try {
    const { run } = JSON.parse(readFileSync(join(folder, 'feed/manifest.json'), 'utf8')) as Manifest;
    return { feedId: run.feed_id, seq: run.seq };
  } catch {
    return null;
  }
}

/** Runs a build that must fail with this code and leave every file of the output unchanged. */
export async function buildInVain(
  stage: Stage,
  world: World,
  options: Partial<BuildOptions>,
  code: string,
): Promise<void> {
  const before = describeFiles(stage.project.out);
  expectSameJson('what the run came to', await stage.run(world, {}, options), { code });
  expectSameOutput(before, describeFiles(stage.project.out));
  await expectNothingLeft(stage);
}

/** Builds the world without previous output, and expects the same pages and documents. */
export async function expectSameAsFirst(stage: Stage, world: World): Promise<void> {
  const { project, reading } = stage;
  const [clean, cache] = ['clean', '.clean'].map((name) => join(project.folder, name)) as [string, string];
  rmSync(clean, { recursive: true, force: true });
  copyTree(project.cache, cache, (path) => reading === 'snapshot' && path.startsWith('snapshot'));
  await stage.run(world, { out: 'clean', cache: '.clean' });
  const [after, first] = [describeFiles(project.out), describeFiles(clean)];
  expectSameFiles(['after all runs', withoutHistory(after)], ['first run', withoutHistory(first)]);
  expectListed(after);
}

/** Expects that the file list contains exactly these files. */
function expectListed(files: FileStates): void {
  const [list = ''] = String(files.get('output-files.txt')?.content).split('\n\n');
  const lines = [...files]
    .filter(([path]) => path !== 'output-files.txt')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { sha256 }]) => `${path.startsWith('feed/manifest.json') ? '-' : sha256}  ${path}`);
  expectSameJson('the list of files', list.split('\n'), lines);
}

export function expectSameOutput(before: FileStates, after: FileStates): void {
  expectSameFiles(['after', after], ['before', before]);
  expectUnmoved(before, after);
}

/** Matches files that depend on earlier runs: the feed's history, and former paths of pages. */
const historic =
  /^feed\/(?:changes\/|manifest)|^(?:addresses\.json|output-files\.txt)$|^_redirects|^redirects?\.|^hosting\//i;

/** These files have dates and versions of translations, which depend on earlier runs, too. */
const datedFile = /(?:\.md|(?:^|\/)llms-full\.txt|\/source\.(?:txt|json)|\/documents\.jsonl)$/;

function withoutHistory(files: FileStates): FileStates {
  const isStub = ({ content }: { readonly content: Buffer }) => content.includes('http-equiv="refresh"');
  const compared = [...files].filter(([path, file]) => !historic.test(path) && !isStub(file));
  return new Map(
    compared.map(([path, file]) => {
      if (!datedFile.test(path)) return [path, file];
      const text = file.content
        .toString()
        .replaceAll(/^(?:updated_at|Updated): .*$|"updated_at":"[^"]*",|,"source_body_hash":"[^"]*"/gm, '');
      return [path, { ...file, content: Buffer.from(text), sha256: hash('sha256', text) }];
    }),
  );
}

async function expectNothingLeft({ project: { folder } }: Stage): Promise<void> {
  const known = ['.clean', '.lectern', 'clean', 'dist', 'other', 'templates'];
  const left = (await readdir(folder)).filter((name) => !known.includes(name));
  if (left.length > 0) throw new Error(`the run left ${left.join(', ')} behind`);
}
