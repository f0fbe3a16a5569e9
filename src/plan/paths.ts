import { LecternError } from '../foundation/errors.ts';

/** Folders and files no page may take, because other stages write there. */
const reserved = [
  /^feed\//,
  /^assets\//,
  /^sitemaps\//,
  /^hosting\//,
  /^(?:404\.html|robots\.txt|sitemap\.xml|llms(?:-full)?\.txt|_redirects|_headers|\.htaccess|(?:vercel|addresses)\.json|output-files\.txt)$/,
];

/** Owner of the reserved paths. */
const itself = 'Lectern itself';

/** Gives every page its path, so that no two pages have one before a byte is written. */
export interface PathRegistry {
  /**
   * @param owner how the message names the page, e.g. `the home page of en`
   * @throws OUTPUT_CONFLICT when another page has the path (compared without case, as macOS and Windows do)
   */
  claim(path: string, owner: string): void;
  /**
   * The path a record's page gets: the wanted one, or one with the record's id behind it where another page has that
   * already; `takenBy` names that page.
   * @throws OUTPUT_CONFLICT when Lectern writes both itself
   */
  claimForRecord(path: string, id: string, owner: string): ClaimedPath;
}

export interface ClaimedPath {
  readonly path: string;
  readonly takenBy: string | null;
}

export function createPathRegistry(): PathRegistry {
  const owners = new Map<string, string>();
  const keyOf = (path: string): string => path.normalize('NFC').toLowerCase();
  const ownerOf = (path: string): string | null =>
    owners.get(keyOf(path)) ?? (reserved.some((pattern) => pattern.test(path)) ? itself : null);
  return {
    claim(path, owner) {
      const other = ownerOf(path);
      if (other !== null) throw conflict(path, other, owner);
      owners.set(keyOf(path), owner);
    },
    claimForRecord(path, id, owner) {
      const takenBy = ownerOf(path);
      let free = path;
      for (let number = 1; ownerOf(free) !== null; number += 1) {
        free = withSuffix(path, number === 1 ? id : `${id}-${number}`);
        // A pattern that leads into a folder of Lectern's does so whatever the name of the page.
        if (reserved.some((pattern) => pattern.test(free))) throw conflict(path, itself, owner);
      }
      owners.set(keyOf(free), owner);
      return { path: free, takenBy };
    },
  };
}

/** `en/reset/index.html` becomes `en/reset-4fq8d7s2ka/index.html`. */
function withSuffix(path: string, suffix: string): string {
  return path.replace(/(?:\/index)?\.html$/, (end) => `-${suffix}${end}`);
}

function conflict(path: string, other: string, owner: string): LecternError {
  const message =
    other === itself
      ? `${owner} wants ${path}, which Lectern writes itself`
      : `${other} and ${owner} both want ${path}`;
  return new LecternError('OUTPUT_CONFLICT', message, {
    hint: 'choose another pattern in urls.article or urls.category',
  });
}
