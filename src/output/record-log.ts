import type { ScratchFile } from './scratch-file.ts';

/** Room outside of memory. */
export type Scratch = Pick<ScratchFile, 'append' | 'read'>;

const blockBytes = 1 << 16;

/**
 * Records one behind the other, which are read again later in this run: in a scratch, so that a large site needs no
 * memory for them, or in memory where there is none.
 */
export class RecordLog {
  private readonly scratch: Scratch | null;
  /** Full blocks: where they begin in the scratch, or themselves. */
  private readonly blocks: (number | Uint8Array)[] = [];
  /** The block that is being filled; none before the first record. */
  private open = Buffer.alloc(0);
  private used = 0;
  /** The block read last, since records are often read in order. */
  private recent = -1;
  private recentBytes: Uint8Array = this.open;

  constructor(scratch: Scratch | null) {
    this.scratch = scratch;
  }

  /** In bytes. */
  get length(): number {
    return this.blocks.length * blockBytes + this.used;
  }

  /** Puts bytes at the end; gives where they begin. */
  append(bytes: Uint8Array): number {
    const position = this.length;
    for (let at = 0; at < bytes.length; ) {
      if (this.open.length === 0) this.open = Buffer.allocUnsafeSlow(blockBytes);
      const part = bytes.subarray(at, at + blockBytes - this.used);
      this.open.set(part, this.used);
      this.used += part.length;
      at += part.length;
      if (this.used === blockBytes) this.closeBlock();
    }
    return position;
  }

  /** A copy of what lies there. */
  read(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; ) {
      const from = (position + at) % blockBytes;
      const block = this.blockAt(Math.floor((position + at) / blockBytes));
      const part = block.subarray(from, from + length - at);
      if (part.length === 0) throw new RangeError(`the log ends before ${position + length}`);
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  /** Everything there is, in order; a block may be reused once the next one is asked for. */
  *pieces(): Generator<Uint8Array> {
    for (let index = 0; index < this.blocks.length; index += 1) yield this.load(index);
    if (this.used > 0) yield this.open.subarray(0, this.used);
  }

  private closeBlock(): void {
    if (this.scratch === null) {
      this.blocks.push(this.open);
      this.open = Buffer.alloc(0);
    } else this.blocks.push(this.scratch.append(this.open));
    this.used = 0;
  }

  private blockAt(index: number): Uint8Array {
    if (index >= this.blocks.length) return this.open.subarray(0, this.used);
    if (index !== this.recent) {
      this.recentBytes = this.load(index);
      this.recent = index;
    }
    return this.recentBytes;
  }

  private load(index: number): Uint8Array {
    const block = this.blocks[index];
    if (typeof block !== 'number') return block ?? new Uint8Array();
    return this.scratch?.read(block, blockBytes) ?? new Uint8Array();
  }
}
