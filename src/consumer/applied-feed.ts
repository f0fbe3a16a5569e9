// The types of `applyFeed` that are public: in a file of their own, so that the package needs no types of the feed reader.

/** Result of `applyFeed`. */
export interface AppliedFeed {
  /** `busy`: an upload is under way, so try again later; what was applied until then is not undone. `older`: a mirror that is behind. */
  readonly status: 'applied' | 'unchanged' | 'busy' | 'older';
  /** Run of the feed. */
  readonly seq: number;
  readonly upserted: number;
  /** Chunks of which only the fields of a touch were sent. */
  readonly touched: number;
  readonly deleted: number;
  /** Bytes of files of records that were read. */
  readonly bytes: number;
}

/** A document whose chunks got another date or `translation_outdated`, and nothing else. */
export interface TouchedDocument {
  readonly document_id: string;
  /** Ids of its chunks. */
  readonly chunks: readonly string[];
  /** Absent: the chunks have none. */
  readonly updated_at?: string;
  readonly translation_outdated: boolean;
}
