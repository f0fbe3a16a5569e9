import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../../../src/core/config/schema.ts';
import { problem } from '../../../src/core/problems.ts';
import { type ReportedProblem, reportProblems } from '../../../src/core/report.ts';
import { startPreview } from '../../../src/pipeline/preview/start-preview.ts';
import { layouts, page, writeTree } from '../../support/folder-layouts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A preview of a folder; `built` gets a line for every build that is asked for. */
async function openPreview(path: string) {
  const folder = temporaryFolder();
  const kb = join(folder, path);
  writeTree(kb, layouts.plain);
  const built: boolean[] = [];
  const reported: string[][] = [];
  /** What the next builds find. */
  const found: ReportedProblem[] = [];
  const server = await startPreview({
    loadConfig: async () =>
      configSchema.parse({
        source: { kind: 'folder', path },
        urls: { article: '{lang}/article/{id}-{slug}', category: '{lang}/category/{id}-{slug}' },
      }),
    configFiles: [],
    folder,
    port: 0,
    async rebuild(isOffline) {
      built.push(isOffline);
      // As every build of a folder does.
      writeTree(join(folder, '.lectern'), { 'snapshot.db': `snapshot ${built.length}` });
      return [...found];
    },
    onNote: () => {},
    onProblems: (problems) => {
      reported.push(problems.map(({ code, file }) => `${code} ${file}`));
    },
  });
  onTestFinished(() => server.close());
  const events = await fetch(new URL('/__lectern/events', server.url));
  const reader = events.body?.getReader();
  await reader?.read();
  onTestFinished(async () => reader?.cancel());
  const get = async (address: string) => {
    const response = await fetch(new URL(address, server.url));
    return { status: response.status, text: await response.text() };
  };
  /** Resolves when open pages get the reload event. */
  const told = async (): Promise<void> => void (await reader?.read());
  const { text } = await get('/en/index/');
  const [address = ''] = /\/en\/article\/\w{10}-brakes\//.exec(text) ?? [];
  return { folder, kb, built, reported, found, get, told, address };
}

it('shows a saved file immediately, without a snapshot, and builds from the folder', async () => {
  const { kb, built, get, told, address } = await openPreview('kb');
  expect((await get(address)).text).toContain('Turn.');
  writeTree(kb, { 'basics/brakes.md': '# Adjust the brakes\n\nTurn twice.' });
  await told();
  expect((await get(address)).text).toContain('Turn twice.');
  await expect.poll(() => built).toContain(false);
  expect(built).not.toContain(true);
});

it('builds once for a change, although the build writes a snapshot', async () => {
  const { kb, built, told } = await openPreview('kb');
  // Nothing was built before.
  await expect.poll(() => built.length).toBe(1);
  writeTree(kb, { 'basics/brakes.md': '# Adjust the brakes\n\nTurn twice.' });
  await told();
  await expect.poll(() => built.length).toBe(2);
  await new Promise((done) => setTimeout(done, 1500));
  expect(built.length).toBe(2);
});

it('takes a page away when its file is deleted or becomes a draft, however many are left', async () => {
  const { kb, get, told, address } = await openPreview('kb');
  writeTree(kb, { 'basics/brakes.md': page('draft: true', 'Turn.') });
  await told();
  expect((await get(address)).status).toBe(404);
  rmSync(join(kb, 'basics/chain.md'));
  await told();
  expect((await get('/en/index/')).text).not.toContain('Oil the chain');
});

it('shows what is wrong with a file, and the page again once it is right', async () => {
  const { kb, get, told, address } = await openPreview('kb');
  writeTree(kb, { 'basics/brakes.md': '---\ntitle: [\n---\nx' });
  await told();
  const { text } = await get(address);
  expect(text).toContain('FILE_SKIPPED');
  expect(text).toContain('basics/brakes.md');
  writeTree(kb, { 'basics/brakes.md': '# Adjust the brakes\n\nTurn back.' });
  await told();
  expect((await get(address)).text).toContain('Turn back.');
});

it('answers other addresses as usual while a file cannot be read', async () => {
  const { kb, reported, get, told } = await openPreview('kb');
  writeTree(kb, { 'basics/saddle.md': '---\ntitle: [\n---\nx' });
  await told();
  expect(reported).toEqual([['FILE_SKIPPED kb/basics/saddle.md']]);
  for (const path of ['/nope', '/en/nope/', '/favicon.ico', '/assets/x.css'])
    expect(await get(path)).toMatchObject({ status: 404, text: expect.not.stringContaining('FILE_SKIPPED') });
  expect((await get('/en/nope/')).text).toContain('class="page-not-found');
  // Its page was never there, but this would be its path.
  expect(await get('/basics/saddle/')).toMatchObject({
    status: 500,
    text: expect.stringContaining('saddle.md'),
  });
});

it('says at once which file cannot be read, although the page has another language, and an old state in the output', async () => {
  const { folder, kb, reported, get, told, address } = await openPreview('kb');
  writeTree(kb, { 'basics/brakes.de.md': '# Bremsen\n\nDrehen.' });
  await told();
  writeTree(join(folder, 'dist'), {
    'index.html': 'x',
    [`${address.slice(1)}index.html`]: 'Old state',
    _redirects: `${address} /de/ 302\n`,
  });
  writeTree(kb, { 'basics/brakes.md': '---\ntitle: [\n---\nx' });
  await told();
  expect(reported).toEqual([['FILE_SKIPPED kb/basics/brakes.md']]);
  expect(await get(address)).toMatchObject({ status: 500, text: expect.stringContaining('FILE_SKIPPED') });
});

it('reports of each build what is new, and not again what reading the folder found', async () => {
  const { kb, built, reported, found, told } = await openPreview('kb');
  await expect.poll(() => built.length).toBe(1);
  const save = async (text: string, builds: number) => {
    writeTree(kb, { 'basics/brakes.md': text });
    await told();
    await expect.poll(() => built.length).toBe(builds);
    await new Promise((done) => setTimeout(done, 50));
  };
  const [link, other] = reportProblems([
    problem('LINK_BROKEN', 'a', { file: 'kb/basics/brakes.md', line: 3 }),
    problem('LINK_BROKEN', 'b', { file: 'kb/basics/brakes.md', line: 4 }),
  ]) as [ReportedProblem, ReportedProblem];
  found.push(link);
  await save('# Brakes\n\nOne.', 2);
  found.splice(0, 1, { ...link, line: 5 }, other);
  await save('# Brakes\n\nTwo.', 3);
  found.splice(0, 2);
  await save('# Brakes\n\nThree.', 4);
  found.push(link);
  await save('# Brakes\n\nFour.', 5);
  expect(reported).toEqual([1, 2, 3].map(() => ['LINK_BROKEN kb/basics/brakes.md']));
});

it('does not build again for its own output inside the folder', async () => {
  const { folder, built, get, told, address } = await openPreview('.');
  await expect.poll(() => built.length).toBe(1);
  // What a build writes.
  writeTree(join(folder, 'dist'), { 'index.html': 'x', 'en/index.html': 'x' });
  writeTree(folder, { 'basics/brakes.md': '# Adjust the brakes\n\nTurn twice.' });
  await told();
  expect((await get(address)).text).toContain('Turn twice.');
  await expect.poll(() => built.length).toBe(2);
});
