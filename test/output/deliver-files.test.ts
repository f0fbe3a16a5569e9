import { existsSync, mkdirSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DeliveryPlace, planDelivery } from '../../src/output/deliver-files.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { readTree } from '../support/read-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Files = Readonly<Record<string, string>>;

/** A folder of a site, and another one with the files to deliver. */
function openFolders(options: Pick<DeliveryPlace, 'isEdited' | 'replacesForeign'> = {}) {
  const base = temporaryFolder();
  const place: DeliveryPlace = {
    folder: join(base, 'site'),
    own: 'feed',
    list: 'feed/files.json',
    last: 'feed/manifest.json',
    ...options,
  };
  const write = (folder: string, files: Files): void => {
    mkdirSync(join(base, folder), { recursive: true });
    writeTree(join(base, folder), files);
  };
  let version = 0;
  return {
    place,
    site: place.folder,
    writeSite: (files: Files) => write('site', files),
    /** Plans to deliver these files and no others. */
    plan(files: Files) {
      version += 1;
      write(`new-${version}`, files);
      return planDelivery(join(base, `new-${version}`), Object.keys(files), place);
    },
    async read(): Promise<Record<string, string>> {
      const tree = await readTree(place.folder);
      return Object.fromEntries([...tree].map(([path, bytes]) => [path, bytes.toString()]));
    },
  };
}

const feed = { 'a/index.html.md': 'A', 'llms.txt': 'list', 'feed/manifest.json': '1' };

describe('planDelivery', () => {
  it('writes files beside those of a site, and removes its own that are gone, with folders that are empty then', async () => {
    const { plan, read, site, writeSite } = openFolders();
    writeSite({ 'index.html': 'home', 'a/index.html': 'page' });
    plan(feed).deliver();
    expect(await read()).toMatchObject({ 'index.html': 'home', ...feed });
    rmSync(join(site, 'a/index.html'));
    const next = plan({ 'llms.txt': 'list', 'feed/manifest.json': '2' });
    expect([next.added, next.changed, next.removed]).toEqual([
      [],
      ['feed/manifest.json'],
      ['a/index.html.md'],
    ]);
    next.deliver();
    expect(Object.keys(await read())).toEqual([
      'feed/files.json',
      'feed/manifest.json',
      'index.html',
      'llms.txt',
    ]);
    expect(existsSync(join(site, 'a'))).toBe(false);
  });

  it('neither replaces nor removes a file of somebody else, also if it took the place of ours', async () => {
    const { plan, read, writeSite } = openFolders();
    writeSite({ 'llms.txt': 'of the site' });
    const first = plan(feed);
    expect(first.foreign).toEqual(['llms.txt']);
    first.deliver();
    writeSite({ 'a/index.html.md': 'written by a plug-in' });
    const second = plan({ ...feed, 'a/index.html.md': 'A2' });
    expect(second.foreign).toEqual(['a/index.html.md', 'llms.txt']);
    second.deliver();
    plan({ 'feed/manifest.json': '3' }).deliver();
    expect(await read()).toMatchObject({
      'llms.txt': 'of the site',
      'a/index.html.md': 'written by a plug-in',
    });
  });

  it('writes everything again after the generator emptied the folder, and takes equal files as its own', async () => {
    const { plan, read, site, writeSite } = openFolders();
    plan(feed).deliver();
    rmSync(site, { recursive: true });
    writeSite({ 'llms.txt': 'list' });
    const again = plan(feed);
    expect([again.added, again.foreign]).toEqual([['a/index.html.md', 'feed/manifest.json'], []]);
    again.deliver();
    expect(await read()).toMatchObject(feed);
    const same = plan(feed);
    expect([same.added, same.changed, same.removed]).toEqual([[], [], []]);
  });

  it('leaves what people edited or removed in files that they may edit, and tells it from a conflict', async () => {
    const { plan, read, site, writeSite } = openFolders({ isEdited: true });
    plan(feed).deliver();
    writeSite({ 'llms.txt': 'edited' });
    rmSync(join(site, 'a/index.html.md'));
    for (let turn = 0; turn < 2; turn += 1) {
      const same = plan(feed);
      expect([same.foreign, [...same.edited].sort()]).toEqual([
        ['a/index.html.md', 'llms.txt'],
        ['a/index.html.md', 'llms.txt'],
      ]);
      same.deliver();
    }
    const changed = plan({ ...feed, 'llms.txt': 'list 2' });
    expect([changed.foreign, [...changed.edited]]).toEqual([
      ['a/index.html.md', 'llms.txt'],
      ['a/index.html.md'],
    ]);
    changed.deliver();
    expect((await read())['llms.txt']).toBe('edited');
  });

  it('refuses a folder in which its own paths are taken, and changes nothing', async () => {
    const { plan, read, writeSite } = openFolders();
    writeSite({ 'feed/manifest.json': 'of a podcast' });
    expect(() => plan(feed)).toThrow(expect.objectContaining({ code: 'OUTPUT_FOREIGN_FILES' }));
    expect(await read()).toEqual({ 'feed/manifest.json': 'of a podcast' });
  });

  it('does not write through a link to another folder', async () => {
    const { plan, site, writeSite } = openFolders();
    writeSite({ 'index.html': 'home' });
    const other = temporaryFolder();
    symlinkSync(other, join(site, 'a'));
    const made = plan(feed);
    expect(made.foreign).toEqual(['a/index.html.md']);
    made.deliver();
    expect(await readTree(other)).toEqual(new Map());
  });

  it('completes a delivery that was killed at any step, and knows every file that it left', async () => {
    const after = { 'b/index.html.md': 'B', 'llms.txt': 'list 2', 'feed/manifest.json': '2' };
    const whole = openFolders();
    whole.plan(feed).deliver();
    whole.plan(after).deliver();
    const expected = await whole.read();
    for (const at of Object.keys(after)) {
      const { plan, read, site, writeSite } = openFolders();
      plan(feed).deliver();
      const killed = plan(after);
      // The step fails because a folder with a file is in the way, as if the process ended there.
      rmSync(join(site, at), { force: true });
      writeSite({ [`${at}/in-the-way`]: '' });
      expect(() => killed.deliver()).toThrow(expect.objectContaining({ code: 'OUTPUT_UNWRITABLE' }));
      unlinkSync(join(site, at, 'in-the-way'));
      rmSync(join(site, at), { recursive: true });
      const repeated = plan(after);
      expect([at, repeated.foreign]).toEqual([at, []]);
      repeated.deliver();
      expect([at, await read()]).toEqual([at, expected]);
    }
  });
});
