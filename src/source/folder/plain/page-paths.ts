import { posix } from 'node:path';
import type { UnknownRecord } from '../../../core/unknown-record.ts';
import { textField } from './page-fields.ts';
import { type PagePath, withoutExportId } from './page-path.ts';

/** The path of a page on the site, decoded, without slash at the start, and further paths that lead to it. */
export interface PagePaths {
  readonly path: string;
  /** Whether the author gave it, so that it is exactly that of its URL. */
  readonly isGiven: boolean;
  readonly aliases: readonly string[];
}

/** `permalink` or `url` from the top of the site if the front matter has it, else the path of the file without its extension. */
export function pathsOf({ key, folder, pathLanguage, isIndex }: PagePath, data: UnknownRecord): PagePaths {
  const given = textField(data, 'permalink', 'url');
  const isGiven = given?.startsWith('/') === true;
  const own = `${pathLanguage === null ? '' : `${pathLanguage}/`}${pathOfFolder(isIndex ? folder : key)}`;
  return {
    path: isGiven ? clean(given.replace(/[?#].*$/, '')) : clean(own),
    isGiven,
    aliases: [data.aliases, data.redirect_from].flat().flatMap((one) => {
      if (typeof one !== 'string' || one.trim() === '' || /^[a-z]+:/i.test(one)) return [];
      const path = one.trim().replace(/[?#].*$/, '');
      // Nothing is above the top of the site.
      return path === '' ? [] : [clean(posix.join('/', path.startsWith('/') ? '' : folder, path))];
    }),
  };
}

/** The path of a folder. */
export function pathOfFolder(folder: string): string {
  return clean(folder.split('/').map(withoutExportId).join('/'));
}

function clean(path: string): string {
  return path
    .replace(/\/{2,}/g, '/')
    .replace(/^\/+/, '')
    .normalize('NFC');
}
