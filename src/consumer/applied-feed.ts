// The public types of `applyFeed`, in a separate file, so that the package's type declarations do not include the feed reader.

/** Result of `applyFeed`. */
export interface AppliedFeed {
  /** `busy`: an upload is in progress, so try again later; changes applied so far stay. */
  readonly status: 'applied' | 'unchanged' | 'busy';
  /** Number of the feed's run. */
  readonly seq: number;
  readonly upserted: number;
  /** Number of chunks of which only the fields of a touch were sent. */
  readonly touched: number;
  readonly deleted: number;
  /** Size of the record files that were read, in bytes. */
  readonly bytes: number;
}

/** A document of whose chunks only the date or `translation_outdated` changed. */
export interface TouchedDocument {
  readonly document_id: string;
  /** Ids of its chunks. */
  readonly chunks: readonly string[];
  /** Absent if the chunks have none. */
  readonly updated_at?: string;
  readonly translation_outdated: boolean;
}
