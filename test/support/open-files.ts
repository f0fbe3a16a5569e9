import { readdir, readlink } from 'node:fs/promises';

/** Files below a folder that this process has open, also removed ones. Empty on other systems than Linux. */
export async function openFiles(folder: string): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [];
  const links = (await readdir('/proc/self/fd')).map((name) => `/proc/self/fd/${name}`);
  const targets = await Promise.all(links.map((link) => readlink(link).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder));
}
