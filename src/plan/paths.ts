import { LecternError } from '../errors.ts';

/** Folders and files no page may take, because other stages write there. */
const reserved = [
  /^feed\//,
  /^assets\//,
  /^sitemaps\//,
  /^hosting\//,
  /^(?:404\.html|robots\.txt|sitemap\.xml|llms(?:-full)?\.txt|_redirects|_headers|\.htaccess|(?:vercel|addresses)\.json)$/,
];

/** Notes who wants which path, so that two pages wanting one are found before a byte is written. */
export interface PathRegistry {
  /**
   * @param owner how the message names the page, e.g. `article 4fq8d7s2ka`
   * @throws OUTPUT_CONFLICT when another page has the path (compared without case, as macOS and Windows do)
   */
  claim(path: string, owner: string): void;
}

export function createPathRegistry(): PathRegistry {
  const owners = new Map<string, string>();
  return {
    claim(path, owner) {
      const key = path.normalize('NFC').toLowerCase();
      const other = owners.get(key);
      if (other !== undefined) {
        throw new LecternError('OUTPUT_CONFLICT', `${other} and ${owner} both want ${path}`, {
          hint: 'give one of them another slug, or put {lang} and {id} into urls.article and urls.category',
        });
      }
      if (reserved.some((pattern) => pattern.test(path))) {
        throw new LecternError('OUTPUT_CONFLICT', `${owner} wants ${path}, which Lectern writes itself`, {
          hint: 'choose another pattern in urls.article or urls.category',
        });
      }
      owners.set(key, owner);
    },
  };
}
