import { RecordLog, type Scratch } from '../output/record-log.ts';
import type { ChangeRecord } from './change-record.ts';
import { jsonLine } from './json-lines.ts';

/** The changes of one run as lines of its file: as many as documents in a first run, so they lie in a scratch. */
export class ChangeLog {
  private readonly seq: number;
  private readonly log: RecordLog;
  private readonly ids: string[] = [];
  /** Where each begins and how long it is, in pairs. */
  private readonly places: number[] = [];

  /** @param seq number the run gets if it changes anything */
  constructor(seq: number, scratch: Scratch | null) {
    this.seq = seq;
    this.log = new RecordLog(scratch);
  }

  get count(): number {
    return this.ids.length;
  }

  add({ op, id, article_id, language, ...rest }: Omit<ChangeRecord, 'seq'>): void {
    const line = Buffer.from(jsonLine({ op, id, article_id, language, seq: this.seq, ...rest }));
    this.ids.push(id);
    this.places.push(this.log.append(line), line.length);
  }

  /** The lines, sorted by document id. */
  *lines(): Generator<Uint8Array> {
    const { ids, places } = this;
    const order = Uint32Array.from(ids.keys()).sort((a, b) => ((ids[a] ?? '') < (ids[b] ?? '') ? -1 : 1));
    for (const at of order) yield this.log.read(places[2 * at] ?? 0, places[2 * at + 1] ?? 0);
  }
}
