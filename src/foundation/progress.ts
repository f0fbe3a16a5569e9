/** How far a fetch is; `total` is `null` where it is not known, and of articles what the last run listed. */
export interface Progress {
  readonly kind: 'articles' | 'bodies' | 'categories' | 'statistics';
  readonly done: number;
  readonly total: number | null;
}

/** How far a run is; `total` is `null` where it is not known. */
export type BuildProgress =
  | Progress
  | { readonly kind: 'rendering' | 'writing'; readonly done: number; readonly total: number | null };
