import type { Store } from '../store/store.ts';

/** What the routes work with. */
export interface RouteContext {
  readonly store: Store;
  /** Address of the public help centre without a trailing slash, or `''`: what `url` of a record begins with. */
  readonly siteUrl: string;
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
