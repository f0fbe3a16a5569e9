import { createHash, hash } from 'node:crypto';
import { existsSync, readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from '../core/concurrency.ts';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { closeAfter, hashOpened, readTextFile, readWholeFile } from '../core/file-system.ts';
import { createSecretScan, type RunSecret } from '../core/run-secrets.ts';
import { isPublishedSite, openInside, walkFolder } from '../core/user-folder.ts';
import { builtInTemplates } from '../site/pages/template-files.ts';

/** Inputs of a run besides configuration and knowledge base. */
interface RunTools {
  /** Name and version of the program, as written to the output. */
  readonly generator: string;
  /** Result of `hashProgram`. */
  readonly program: string;
  /** Absolute path of the user's templates; it need not exist. `null`: no page is made. */
  readonly templatesFolder: string | null;
  /** Absolute path of the files that are published unchanged; it need not exist. */
  readonly publicFolder: string | null;
  /** Values that no published file may contain; absent: none. They count only if a file contains one. */
  readonly secrets?: readonly RunSecret[];
}

/**
 * Hash of all inputs of a run except the knowledge base: program, templates, public files and configuration. Runs with the same inputs,
 * source and copied files publish the same output, except for the time in the manifest.
 */
export function hashInputs(config: ResolvedConfig, tools: RunTools): string {
  // The locations of output and cache do not affect the published files.
  const { out: _out, cache: _cache, ...settings } = config;
  const { generator, program, templatesFolder, publicFolder, secrets = [] } = tools;
  const folders = [
    hashFolder(builtInTemplates),
    templatesFolder === null ? null : hashFolder(templatesFolder, secrets),
    publicFolder === null || isPublishedSite(publicFolder) ? null : hashFolder(publicFolder, secrets),
  ];
  return hash('sha256', JSON.stringify([generator, program, settings, ...folders]));
}

const program = fileURLToPath(new URL('..', import.meta.url));

/**
 * Hash of everything besides the inputs that determines an output: the program's build, the packages it uses, and the relevant parts of
 * Node. Output of another program is not reused.
 */
export function hashProgram(): string {
  const { v8, icu, unicode, zlib, brotli } = process.versions;
  return hash('sha256', JSON.stringify([...loaded(), v8, icu, unicode, zlib, brotli]));
}

/** Written by the last step of `npm run build`: the hash of all compiled files. */
const buildId = join(program, 'build-id');

/** A process runs the code that it loaded at the start. The files of a checkout are hashed, because they change without a build. */
const loaded = once(() => [
  existsSync(buildId) ? readTextFile(buildId) : hashFolder(program),
  packageVersions(),
]);

function packageVersions(): readonly (readonly [name: string, version: string | null])[] {
  const { dependencies = {} } = readManifest(join(program, '../package.json'));
  const require = createRequire(import.meta.url);
  // Yarn Plug'n'Play has no folders of packages, but one file that names the version of each.
  if (process.versions.pnp !== undefined) {
    return [['pnpapi', hash('sha256', readWholeFile(require.resolve('pnpapi')))]];
  }
  return Object.keys(dependencies).map((name) => {
    const manifest = (require.resolve.paths(name) ?? [])
      .map((folder) => join(folder, name, 'package.json'))
      .find((path) => existsSync(path));
    return [name, manifest === undefined ? null : (readManifest(manifest).version ?? null)];
  });
}

interface PackageManifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readManifest(path: string): PackageManifest {
  return JSON.parse(readTextFile(path)) as PackageManifest;
}

/**
 * Hash of the paths and contents of a folder's files: equal hashes mean that nothing was added, removed or changed. A broken link (an
 * editor's lock file), or a link to a parent folder or to the outside, is represented by its target. Whether a file contains a secret of
 * the run counts, because the file is then not published. `null` if the folder does not exist.
 */
export function hashFolder(folder: string, secrets: readonly RunSecret[] = []): string | null {
  if (!existsSync(folder)) return null;
  const digest = createHash('sha256');
  for (const { path, kind } of walkFolder(folder)) {
    const isLink = kind === 'link' || kind === 'outside';
    const content = kind === 'file' ? hashFile(folder, path, secrets) : kind;
    digest.update(`${path}\t${isLink ? readlinkSync(join(folder, path)) : content}\n`);
  }
  return digest.digest('hex');
}

/**
 * Hash of a file of any size, read in blocks, and the name of a secret in it; `null` if the file no longer exists, e.g. a temporary file of
 * an editor, or leads outside now.
 */
function hashFile(folder: string, path: string, secrets: readonly RunSecret[]): string | null {
  let descriptor: number;
  try {
    descriptor = openInside(folder, path);
  } catch (error) {
    if (['ENOENT', 'FILE_OUTSIDE'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  const scan = createSecretScan(secrets);
  let secretName = '';
  const digest = closeAfter(descriptor, (file) =>
    hashOpened(file, (block) => {
      secretName = scan(block)?.name ?? '';
    }),
  );
  return secretName === '' ? digest : `${digest} ${secretName}`;
}
