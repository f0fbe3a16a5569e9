const firstBytes = 1 << 16;

/** UTF-8 has at most three bytes per UTF-16 unit. */
const bytesPerUnit = 3;

/** Encodes texts one behind the other into one block of memory. */
export class ByteWriter {
  private block = Buffer.allocUnsafeSlow(firstBytes);
  private used = 0;

  /** Gives the number of bytes added. */
  add(text: string): number {
    const needed = this.used + text.length * bytesPerUnit;
    if (needed > this.block.length) {
      const larger = Buffer.allocUnsafeSlow(2 * needed);
      larger.set(this.block.subarray(0, this.used));
      this.block = larger;
    }
    const bytes = this.block.write(text, this.used);
    this.used += bytes;
    return bytes;
  }

  get length(): number {
    return this.used;
  }

  /** All bytes, in a block of memory of their own that may be given to another thread. */
  take(): Uint8Array {
    const bytes = new Uint8Array(this.used);
    bytes.set(this.block.subarray(0, this.used));
    this.used = 0;
    return bytes;
  }
}
