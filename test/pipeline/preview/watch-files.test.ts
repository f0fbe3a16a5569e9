import { mkdirSync, renameSync, rmdirSync, type watch } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchFiles } from '../../../src/pipeline/preview/watch-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let stop = () => {};
const templates = () => join(folder, 'templates');
const config = () => join(folder, 'config.json');

beforeEach(async () => {
  folder = temporaryFolder();
  await writeFile(config(), '{}');
});
afterEach(async () => {
  stop();
});

function start(watchPath?: typeof watch) {
  const onChange = vi.fn<(places: ReadonlySet<string>) => void>();
  stop = watchFiles({ folders: [templates()], files: [config()], onChange }, watchPath);
  return onChange;
}

const told = (onChange: ReturnType<typeof start>) => onChange.mock.calls.flatMap(([places]) => [...places]);

it('A saved file is reported, and a new folder with what is saved in it later', async () => {
  const onChange = start();
  await writeFile(config(), '{ }');
  await vi.waitFor(() => expect(told(onChange)).toContain(config()));
  await mkdir(templates());
  await vi.waitFor(() => expect(told(onChange)).toContain(templates()));
  const before = onChange.mock.calls.length;
  await writeFile(join(templates(), 'home.eta'), 'x');
  await vi.waitFor(() => expect(onChange.mock.calls.length).toBeGreaterThan(before));
});

it('A change that the system does not report is seen soon after one that it reports', async () => {
  let tell = (_event: string, _name: string) => {};
  const watchPath = ((_path: string, listener: typeof tell) => {
    tell = listener;
    return { close() {}, on() {} };
  }) as unknown as typeof watch;
  const onChange = start(watchPath);
  tell('change', 'config.json');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
  await mkdir(join(templates(), 'locales'), { recursive: true });
  await writeFile(join(templates(), 'locales/en.json'), '{}');
  await vi.waitFor(() => expect(told(onChange)).toContain(templates()));
});

it('Changes are seen also where the system watches no more files', async () => {
  const onChange = start((() => {
    throw Object.assign(new Error('System limit for number of file watchers reached'), { code: 'ENOSPC' });
  }) as unknown as typeof watch);
  await writeFile(config(), '{ }');
  await vi.waitFor(() => expect(told(onChange)).toContain(config()), 5000);
  await mkdir(templates());
  await writeFile(join(templates(), 'home.eta'), 'x');
  await vi.waitFor(() => expect(told(onChange)).toContain(templates()), 5000);
});

it('Changes are seen in a folder that replaced the watched one at once', async () => {
  for (const name of ['templates', 'new']) mkdirSync(join(folder, name));
  const onChange = start();
  rmdirSync(templates());
  renameSync(join(folder, 'new'), templates());
  await new Promise((resolve) => setTimeout(resolve, 600));
  onChange.mockClear();
  await writeFile(join(templates(), 'a.eta'), 'x');
  await vi.waitFor(() => expect(told(onChange)).toContain(templates()));
});

it('Changes are seen in a folder that was removed with its parent, and is back', async () => {
  const source = join(folder, 'content/docs');
  await mkdir(source, { recursive: true });
  const onChange = vi.fn<(places: ReadonlySet<string>) => void>();
  stop = watchFiles({ folders: [source], files: [], onChange });
  await rm(join(folder, 'content'), { recursive: true });
  await vi.waitFor(() => expect(told(onChange)).toContain(source));
  await mkdir(source, { recursive: true });
  await new Promise((resolve) => setTimeout(resolve, 600));
  onChange.mockClear();
  await writeFile(join(source, 'a.md'), 'x');
  await vi.waitFor(() => expect(told(onChange)).toContain(source), 5000);
});

it('A second look without news tells nothing', async () => {
  const onChange = start();
  await writeFile(config(), '{ }');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
  const before = onChange.mock.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(onChange.mock.calls.length).toBe(before);
});

it('A change of a source that the system does not report is reported until its owner has read it', async () => {
  let tell = (_event: string, _name: string) => {};
  const watchPath = ((_path: string, listener: typeof tell) => {
    tell = listener;
    return { close() {}, on() {} };
  }) as unknown as typeof watch;
  const source = join(folder, 'kb');
  let isRead = true;
  const onChange = vi.fn<(places: ReadonlySet<string>) => void>((paths) => {
    isRead = paths.has(source);
  });
  const sources = { folders: [source], hasChanged: () => !isRead };
  stop = watchFiles({ folders: [], sources, files: [config()], onChange }, watchPath);
  tell('change', 'config.json');
  await vi.waitFor(() => expect(told(onChange)).toContain(source));
  expect(isRead).toBe(true);
});
