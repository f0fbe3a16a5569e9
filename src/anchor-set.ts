/**
 * The anchors of all pages, eight bytes each: what is kept is a hash of 53 bits. An anchor that is not there and has the
 * hash of one that is passes for it; with a million anchors that happens to one such anchor in nine thousand million.
 */
export class AnchorSet {
  private hashes = new Float64Array(1 << 10);
  private used = 0;
  private isSorted = false;

  add(href: string, anchors: readonly string[]): void {
    for (const anchor of anchors) {
      if (this.used === this.hashes.length) {
        const wider = new Float64Array(2 * this.used);
        wider.set(this.hashes);
        this.hashes = wider;
      }
      this.hashes[this.used] = hashOf(href, anchor);
      this.used += 1;
    }
    this.isSorted = false;
  }

  has(href: string, anchor: string): boolean {
    if (!this.isSorted) this.hashes.subarray(0, this.used).sort();
    this.isSorted = true;
    const wanted = hashOf(href, anchor);
    let from = 0;
    let to = this.used;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.hashes[middle] as number) < wanted) from = middle + 1;
      else to = middle;
    }
    return from < this.used && this.hashes[from] === wanted;
  }
}

/** Two multiplicative hashes of 32 bits with different factors, well mixed; the upper 53 bits of both. */
function hashOf(href: string, anchor: string): number {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (const text of [href, '#', anchor]) {
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      first = Math.imul(first ^ unit, 2654435761);
      second = Math.imul(second ^ unit, 1597334677);
    }
  }
  const a = mix(first) ^ mix(second ^ 0x5bd1e995);
  const b = mix(second) ^ (first >>> 7);
  return (a >>> 0) * 2 ** 21 + (b >>> 11);
}

/** The finisher of MurmurHash3. */
function mix(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return whole ^ (whole >>> 16);
}
