/** What can be wrong with a published feed. */
export type FindingCode =
  | 'MANIFEST_INVALID'
  | 'FILE_MISSING'
  | 'FILE_CHANGED'
  | 'RECORD_INVALID'
  | 'COUNT_WRONG'
  | 'ID_WRONG'
  | 'HASH_WRONG'
  | 'OFFSET_WRONG'
  | 'ORDER_WRONG'
  | 'LINK_BROKEN'
  | 'SEQUENCE_WRONG'
  | 'TOMBSTONE_WRONG'
  | 'TWIN_WRONG'
  | 'PAGE_MISSING'
  | 'ASSET_MISSING';

/** One thing that is wrong with a published feed. */
export interface Finding {
  readonly code: FindingCode;
  /** File it was found in. */
  readonly path: string;
  /** What is wrong, with the value in it. */
  readonly message: string;
}

/** Takes a finding. */
export type ReportFinding = (code: FindingCode, path: string, message: string) => void;
