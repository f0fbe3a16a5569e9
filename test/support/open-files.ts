import { readdir, readlink } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Files below a folder that this process has open, also removed ones. Empty on other systems than Linux. */
export async function openFiles(folder: string): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [];
  await collectGarbage();
  const links = (await readdir('/proc/self/fd')).map((name) => `/proc/self/fd/${name}`);
  const targets = await Promise.all(links.map((link) => readlink(link).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder));
}

/** Collects garbage: the driver of SQLite closes the file of a closed database together with its last statement. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  // Finalizers run later, and release what only the next round collects.
  for (let round = 0; round < 3; round += 1) {
    runInNewContext('gc')();
    await setImmediate();
  }
}
