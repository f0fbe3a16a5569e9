/** Takes the records of a list as they arrive. */
export interface ListSink {
  /** Forgets every record taken so far: the list is read again from its beginning. */
  restart(): Promise<void>;
  /** Takes one record, whatever it is. */
  take(record: unknown): Promise<void>;
}
