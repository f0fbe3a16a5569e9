import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nearestName } from '../../core/config/nearest-name.ts';
import { LecternError } from '../../core/errors.ts';
import { makeFolder, readTextFile } from '../../core/file-system.ts';
import { isFileInside, readTextIn, walkFolder } from '../../core/user-folder.ts';

/** Folders of templates. */
export interface TemplateFolders {
  /** Folder of the built-in theme. */
  readonly builtIn: string;
  /** Folder of the user's templates; need not exist. */
  readonly own: string;
}

/** A template that users can replace. */
interface TemplateStatus {
  /** Name as in includes, e.g. `partials/header`. */
  readonly name: string;
  /** Files that replace it, relative to the user's folder; one per language that has its own. */
  readonly own: readonly string[];
  /** Origin of an ejected template; `null` if it was not ejected. */
  readonly ejected: EjectionNote | null;
  /** Whether the built-in template changed after it was ejected. */
  readonly hasDrifted: boolean;
}

/** Origin of an ejected template, from its first line. */
interface EjectionNote {
  readonly version: string;
  /** First 12 hex digits of the SHA-256 of the built-in template. */
  readonly hash: string;
}

const notePattern = /^<%\/\* ejected from lectern (\S+), ([0-9a-f]{12}) \*\/%>\r?\n/;

/** All built-in templates, sorted by name, with the user's files that replace them. */
export function listTemplates(folders: TemplateFolders): readonly TemplateStatus[] {
  const ownFiles = templateNames(folders.own);
  return templateNames(folders.builtIn).map((name) => {
    const own = ownFiles.filter((file) => file === name || file.slice(file.indexOf('/') + 1) === name);
    const notes = own.map((file) => readNote(readOwn(folders, file)));
    const ejected = notes.find((note) => note !== null) ?? null;
    const hasDrifted = ejected !== null && ejected.hash !== hashOf(readBuiltIn(folders, name));
    return { name, own: own.map((file) => `${file}.eta`), ejected, hasDrifted };
  });
}

/**
 * Copies a built-in template into the user's folder, where it replaces the built-in one.
 * @param version of the program, noted in the copy
 * @returns absolute path of the copy
 * @throws TEMPLATE_FAILED, TARGET_EXISTS
 */
export async function ejectTemplate(
  folders: TemplateFolders,
  name: string,
  version: string,
): Promise<string> {
  const content = readBuiltIn(folders, name);
  const path = join(folders.own, `${name}.eta`);
  if (existsSync(path)) {
    throw new LecternError('TARGET_EXISTS', `${path} already exists`, {
      hint: 'show your changes with lectern templates diff',
      exitCode: 1,
    });
  }
  makeFolder(dirname(path));
  await writeFile(path, `<%/* ejected from lectern ${version}, ${hashOf(content)} */%>\n${content}`);
  return path;
}

/** Diff from the built-in template to the user's version: each line starts with `+`, `-` or a space. Empty if the user has no version. */
export async function diffTemplate(folders: TemplateFolders, name: string): Promise<readonly string[]> {
  const builtIn = readBuiltIn(folders, name);
  if (!isFileInside(folders.own, `${name}.eta`)) return [];
  const { diffLines } = await import('../../core/diff-lines.ts');
  return diffLines(builtIn, readOwn(folders, name).replace(notePattern, ''));
}

/** What is wrong with each of the user's templates that no page uses: it replaces no built-in one, and no other template of the user names it. */
export function describeUnused(folders: TemplateFolders): readonly string[] {
  const known = templateNames(folders.builtIn);
  const files = templateNames(folders.own);
  const texts = files.map((file) => readOwn(folders, file)).join('\n');
  // An include of a computed name may be of any template.
  if (/\b(?:include|layout)\((?!\s*(['"])[^'"\n]*\1\s*[,)])/.test(texts)) return [];
  return files.flatMap((file) => {
    const names = [file, file.slice(file.indexOf('/') + 1)];
    const isUsed = names.some((name) => known.includes(name) || texts.includes(name));
    return isUsed ? [] : [`no page uses the template ${file}.eta${askMeant(basename(file), known)}`];
  });
}

function readNote(content: string): EjectionNote | null {
  const [, version, hash] = notePattern.exec(content) ?? [];
  return version === undefined || hash === undefined ? null : { version, hash };
}

function readBuiltIn(folders: TemplateFolders, name: string): string {
  const path = join(folders.builtIn, `${name}.eta`);
  if (!existsSync(path) || name.includes('..')) {
    const question = askMeant(name, templateNames(folders.builtIn));
    throw new LecternError('TEMPLATE_FAILED', `unknown template "${name}"${question}`, {
      hint: 'list the names with lectern templates list',
      exitCode: 2,
    });
  }
  return readTextFile(path);
}

/** `; did you mean partials/footer?` of a name that is nearly that of a known template, or of its file; else `''`. */
function askMeant(name: string, known: readonly string[]): string {
  const byFile = new Map(known.map((one) => [basename(one), one]));
  const near = nearestName(name, known) ?? byFile.get(nearestName(name, byFile.keys()) ?? '') ?? null;
  return near === null ? '' : `; did you mean ${near}?`;
}

function readOwn(folders: TemplateFolders, file: string): string {
  return readTextIn(folders.own, `${file}.eta`);
}

function hashOf(content: string): string {
  return hash('sha256', content).slice(0, 12);
}

/** Names of the templates below a folder; none if it does not exist. */
function templateNames(folder: string): readonly string[] {
  return Array.from(walkFolder(folder))
    .flatMap(({ kind, path }) => (kind === 'file' && path.endsWith('.eta') ? [path] : []))
    .sort()
    .map((path) => path.slice(0, -'.eta'.length));
}

/** Folder of a project with its own templates, texts and assets. */
export const ownTemplates = 'templates';

/** Folder of the built-in theme. */
export const builtInTemplates = fileURLToPath(new URL('../../../templates', import.meta.url));
