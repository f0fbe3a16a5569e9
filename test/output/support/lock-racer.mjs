// One of several processes that compete for a lock: `node lock-racer.mjs FOLDER ROUNDS`. Exits with 1 if another process also holds the
// lock.
import { closeSync, openSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock } from '../../../lib/output/lock.js';

const [, , folder, rounds] = process.argv;
const inside = join(folder, 'inside');
for (let round = 0; round < Number(rounds); round++) {
  const lock = await acquireLock(join(folder, 'lock'), { code: 'LOCKED', folder, waitMs: 60_000 });
  closeSync(openSync(inside, 'wx'));
  // The remains of a run that was killed in another container; all waiting processes find them at the same time.
  const left = join(folder, 'lock', `left-by-${process.pid}-${round}`);
  writeFileSync(left, JSON.stringify({ pid: 1, host: 'pod', space: 'pod pid:[1]', started: 'boot/1' }));
  utimesSync(left, 0, 0);
  lock.assertHeld();
  rmSync(inside);
  lock.release();
}
