import { hash } from 'node:crypto';

/** A file of the output. The site returns these; the caller writes them. */
export interface RenderedFile {
  /** Relative to the output folder, `/`-separated. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** A file in `assets/` whose name contains the hash of its content, so that it may be cached for ever. */
export interface Asset extends RenderedFile {
  /** Name before fingerprinting, e.g. `site.css`. */
  readonly name: string;
}

/**
 * Gives a file its hashed name: `site.css` becomes `assets/site.1f0c9a7b2d.css`.
 * @param identity input of the hash if it is not the content
 */
export function fingerprint(
  name: string,
  content: string | Uint8Array,
  identity: string | Uint8Array = content,
): Asset {
  const dot = name.lastIndexOf('.');
  return {
    name,
    content,
    path: `assets/${name.slice(0, dot)}.${hash('sha256', identity).slice(0, 10)}${name.slice(dot)}`,
  };
}
