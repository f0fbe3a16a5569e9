import { resolve } from 'node:path';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { listRunSecrets, type RunSecret } from '../core/run-secrets.ts';
import { resolveUserFolder } from '../core/user-folder.ts';
import { ownTemplates } from '../site/pages/template-files.ts';
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

/** Finds the folders and the secrets of a run. @throws FILE_OUTSIDE (exit 2) */
export function findUserFiles(
  { site, out }: Pick<ResolvedConfig, 'site' | 'out'>,
  options: Pick<BuildOptions, 'folder' | 'environment'> & Partial<Pick<BuildOptions, 'apiKey'>>,
): UserFiles {
  return {
    templatesFolder: resolveUserFolder(options.folder, ownTemplates),
    publicFolder: resolveUserFolder(options.folder, site.public),
    out: resolve(options.folder, out),
    secrets: listRunSecrets(options.apiKey, options.environment),
  };
}
