import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readTree } from '../support/read-tree.ts';
import { type CommandLineProject, createCommandLineProject } from './support/command-line.ts';
import { describeFiles, expectSameFiles, type FileStates } from './support/describe-files.ts';
import { knowledgeBaseEdits } from './support/knowledge-base-edits.ts';
import { firstWorld } from './support/world.ts';

const edited = knowledgeBaseEdits['the title is changed']?.(firstWorld, 1) ?? firstWorld;

let project: CommandLineProject;
beforeEach(async () => {
  project = await createCommandLineProject();
  await project.show(firstWorld);
  expect(await project.build()).toMatchObject({ code: 0, stderr: '' });
  await project.show(edited);
});

const filesOf = (out: string): FileStates => describeFiles(join(project.folder, out));

/** Builds without earlier output, and expects the pages of the output. */
async function expectClean(out: string): Promise<void> {
  const place = ['--out', `clean-${out}`, '--cache', `.clean-${out}`];
  expect(await project.build(...place)).toMatchObject({ code: 0 });
  const isPage = (path: string) => path.endsWith('.html') || path.endsWith('.md');
  const pages = (files: FileStates) => new Map([...files].filter(([path]) => isPage(path)));
  expectSameFiles([out, pages(filesOf(out))], ['clean', pages(filesOf(`clean-${out}`))]);
  expect(await project.build('--out', out)).toMatchObject({ code: 0 });
}

it.each<[what: string, outs: readonly string[]]>([
  ['of one output', ['dist', 'dist', 'dist']],
  ['of different outputs with one cache', ['dist', 'other', 'third']],
])('builds %s at the same time all end well, and give whole outputs', async (_what, outs) => {
  const runs = await Promise.all(outs.map((out) => project.buildBeside('--out', out)));
  expect(runs.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual(outs.map(() => [0, '']));
  for (const out of new Set(outs)) await expectClean(out);
});

it('builds at the same time leave nothing behind', async () => {
  await Promise.all(['dist', 'dist', 'other'].map((out) => project.buildBeside('--out', out)));
  const cache = [...(await readTree(project.cache)).keys()];
  expect(cache.filter((path) => /partial|\.new$|[0-9a-f]-[0-9a-f]{4}-[0-9a-f]{4}-/.test(path))).toEqual([]);
  expect(cache.filter((path) => path.startsWith('snapshot')).sort()[0]).toBe('snapshot.db');
});
