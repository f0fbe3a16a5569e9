import { posix, resolve } from 'node:path';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { LecternError } from '../core/errors.ts';
import { listRunSecrets, type RunSecret } from '../core/run-secrets.ts';
import { isPublishedSite, placeInFolder, resolveUserFolder, walkFolder } from '../core/user-folder.ts';
import { ownTemplates } from '../site/pages/template-files.ts';
import { aboutFile, isPartial } from '../source/folder/list-folder.ts';
import type { BuildOptions } from './build-options.ts';

/** The folders of the user that end up in the output, and what must not. */
export interface UserFiles {
  /** Absolute path of the templates, texts and assets; it need not exist. */
  readonly templatesFolder: string;
  /** Absolute path of the files that are published unchanged; it need not exist. */
  readonly publicFolder: string;
  /** Absolute path of the output. */
  readonly out: string;
  /** Values that no published file may contain. */
  readonly secrets: readonly RunSecret[];
}

/** Finds the folders and the secrets of a run. @throws FILE_OUTSIDE, CONFIG_INVALID (exit 2) */
export function findUserFiles(
  { site, out, source }: Pick<ResolvedConfig, 'site' | 'out' | 'source'>,
  options: Pick<BuildOptions, 'folder' | 'environment'> & Partial<Pick<BuildOptions, 'apiKey'>>,
): UserFiles {
  const files = {
    templatesFolder: resolveUserFolder(options.folder, ownTemplates),
    publicFolder: resolveUserFolder(options.folder, site.public),
    out: resolve(options.folder, out),
  };
  if (source.kind === 'folder') refusePublicSource(files, source, site.public, options.folder);
  refusePublicProject(files, site.public, options.folder);
  return {
    ...files,
    secrets: listRunSecrets(options.apiKey, options.environment),
  };
}

/** Refuses to publish the folder of the project, with its settings, notes and packages. @throws CONFIG_INVALID (exit 2) */
function refusePublicProject(
  { publicFolder, out }: Pick<UserFiles, 'publicFolder' | 'out'>,
  setting: string,
  project: string,
): void {
  const place = placeInFolder(publicFolder, project);
  if (place === null || publicFolder === out || isPublishedSite(publicFolder)) return;
  if (place !== 'around' && place.inside !== '') return;
  const what = place === 'around' ? 'has the folder of the project inside' : 'is the folder of the project';
  const message = `site.public, ${JSON.stringify(setting)}, ${what}, whose settings and packages would be published`;
  throw new LecternError('CONFIG_INVALID', message, {
    hint: 'name a folder with only the files that everybody may read, which need not exist',
  });
}

/** Refuses to publish the files of a source as they are, because drafts are among them. @throws CONFIG_INVALID (exit 2) */
function refusePublicSource(
  { publicFolder, out }: Pick<UserFiles, 'publicFolder' | 'out'>,
  { path, layout }: Extract<ResolvedConfig['source'], { readonly kind: 'folder' }>,
  setting: string,
  base: string,
): void {
  const place = placeInFolder(publicFolder, resolveUserFolder(base, path));
  // Nothing is published from an output.
  if (place === null || publicFolder === out || isPublishedSite(publicFolder)) return;
  const page =
    place === 'around' || place.inside === '' ? null : findPage(publicFolder, place.inside, layout);
  const what =
    place === 'around'
      ? `has the folder of the source, ${path}, inside`
      : place.inside === ''
        ? 'is the folder of the source'
        : page === null
          ? null
          : `is inside the folder of the source, ${path}, and has a page of it, ${page}`;
  if (what === null) return;
  const message = `site.public, ${setting}, ${what}: its files are published as they are, also drafts`;
  throw new LecternError('CONFIG_INVALID', message, {
    hint:
      page === null
        ? 'name another folder in site.public, with only the files that everybody may read'
        : 'move its pages to another folder of the source, or name another folder in site.public',
  });
}

/** A file of a folder inside a source that the source may read as a page, relative to the source. */
function findPage(folder: string, place: string, layout: string): string | null {
  const isPage = (path: string): boolean =>
    (/\.(?:mdx?|markdown)$/i.test(path) && !isPartial(path) && !aboutFile.test(posix.basename(path))) ||
    (layout !== 'plain' && /^(?:articles|categories)\/[^/]+\/[^/]+\.html$/.test(path));
  for (const { path, kind } of walkFolder(folder)) {
    const inSource = `${place}/${path}`;
    if (kind === 'file' && isPage(inSource)) return inSource;
  }
  return null;
}
