/** Many short lists of numbers in two blocks of memory. */
export class NumberLists {
  private items: Uint32Array;
  private ends: Uint32Array;
  private itemCount = 0;
  private listCount = 0;

  constructor(items = 1 << 10, lists = 1 << 8) {
    this.items = new Uint32Array(items);
    this.ends = new Uint32Array(lists);
  }

  /** Adds a number to the current list. */
  push(item: number): void {
    if (this.itemCount === this.items.length) this.items = widened(this.items);
    this.items[this.itemCount] = item;
    this.itemCount += 1;
  }

  /** Ends the current list; the next number starts another. */
  end(): void {
    if (this.listCount === this.ends.length) this.ends = widened(this.ends);
    this.ends[this.listCount] = this.itemCount;
    this.listCount += 1;
  }

  of(list: number): Uint32Array {
    return this.items.subarray(this.startOf(list), this.ends[list]);
  }

  /** The numbers of all lists, one after another. */
  numbers(): Uint32Array {
    return this.items.subarray(0, this.itemCount);
  }

  /** The same lists of other numbers; negative results are dropped. */
  map(change: (item: number) => number): NumberLists {
    const kept = this.numbers().reduce((count, item) => (change(item) < 0 ? count : count + 1), 0);
    const changed = new NumberLists(kept, this.listCount);
    for (let list = 0; list < this.listCount; list += 1) {
      for (const item of this.of(list)) {
        const next = change(item);
        if (next >= 0) changed.push(next);
      }
      changed.end();
    }
    return changed;
  }

  /** For every number below `count`: the lists that contain it, ascending, once per occurrence. */
  inverted(count: number): NumberLists {
    const result = new NumberLists(this.itemCount, count);
    for (const item of this.numbers()) result.ends[item] = (result.ends[item] as number) + 1;
    for (let item = 1; item < count; item += 1) {
      result.ends[item] = (result.ends[item] as number) + (result.ends[item - 1] as number);
    }
    // Filled from the end, so that every end moves to its list's start; then each start is the end of the list before.
    for (let list = this.listCount - 1; list >= 0; list -= 1) {
      for (const item of this.of(list)) {
        const at = (result.ends[item] as number) - 1;
        result.items[at] = list;
        result.ends[item] = at;
      }
    }
    result.ends.copyWithin(0, 1);
    if (count > 0) result.ends[count - 1] = this.itemCount;
    [result.itemCount, result.listCount] = [this.itemCount, count];
    return result;
  }

  private startOf(list: number): number {
    return list === 0 ? 0 : (this.ends[list - 1] as number);
  }
}

function widened(values: Uint32Array): Uint32Array {
  const wider = new Uint32Array(2 * values.length + 1);
  wider.set(values);
  return wider;
}
