/** Room for what need not stay in memory: a file without a name, which is gone when the run is. */
export interface Scratch {
  /** Puts bytes at the end; gives where they begin. */
  append(bytes: Uint8Array): number;
  /** @throws RangeError when so much was never written there */
  read(position: number, length: number): Uint8Array;
}
