/** Section number of an article that is not repeated. */
export const droppedSection = -1;

/** Which section of this run's index an old section is. */
export class SectionMap {
  private readonly sections: Int32Array;

  /** @param count old sections; all of them are dropped at first */
  constructor(count: number) {
    this.sections = new Int32Array(count).fill(droppedSection);
  }

  /** Repeats a section. New numbers rise with the old ones. */
  set(old: number, now: number): void {
    this.sections[old] = now;
  }

  /** Its number now, or {@link droppedSection}. */
  find(old: number): number {
    return this.sections[old] as number;
  }

  /**
   * Whether any section of a term has another number now, or none. Reads the digits where they stand: nearly all terms of
   * a large index are only asked this.
   * @param line JSON @param start where its lists of postings begin: see `listPostings`
   */
  moves(line: string, start: number): boolean {
    const { sections } = this;
    let section = -1;
    let number = -1;
    let isCount = false;
    for (let at = start; at < line.length; at += 1) {
      const digit = line.charCodeAt(at) - zero;
      if (digit >= 0 && digit <= 9) number = number < 0 ? digit : 10 * number + digit;
      else if (digit === minus) isCount = true;
      else {
        if (number >= 0 && !isCount) {
          section += number;
          if (sections[section] !== section) return true;
        }
        if (digit === opening) section = -1;
        number = -1;
        isCount = false;
      }
    }
    return false;
  }
}

const zero = 48;
const minus = 45 - zero;
const opening = 91 - zero;
