import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { listRest, readTests } from '../support/suites.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

async function filesOf(mode: string): Promise<readonly string[]> {
  const args = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--mode', mode];
  const { stdout } = await run(process.execPath, args, { cwd: root, env: { ...process.env, NO_COLOR: '1' } });
  return stdout.split('\n').filter((line) => line.endsWith('.test.ts'));
}

describe('the suites', () => {
  it('contain every file, and the two that CI runs are the full one together', async () => {
    const all = [...readTests(join(root, 'test')).keys()].filter((path) => path.endsWith('.test.ts'));
    const [quick, rest, full, nightly] = await Promise.all(['quick', 'rest', 'test', 'nightly'].map(filesOf));
    const sorted = (...lists: (readonly string[] | undefined)[]) => [...new Set(lists.flat())].sort();
    expect(sorted(quick, rest)).toEqual(sorted(full));
    expect(sorted(nightly)).toEqual(all.map((path) => `test/${path}`).sort());
    expect(sorted(rest).length).toBeLessThan(sorted(full).length);
  });

  it('run a file again that is skipped under a condition, or reads other files', () => {
    const tests = new Map([
      ['support/tools.ts', 'process.env.LECTERN_REQUIRE_TOOLS'],
      ['a/helper.ts', "import { findTool } from '../support/tools.ts';"],
      ['a/tool.test.ts', "import { findTool } from '../support/tools.ts';"],
      ['a/by-helper.test.ts', "import { x } from './helper.ts';"],
      ['a/skipped.test.ts', "it.skipIf(isRoot)('x', () => {});"],
      ['a/beside.test.ts', "join(import.meta.dirname, '../../../shared/projects')"],
      ['a/same.test.ts', "import { x } from './other.ts';"],
      ['a/browser.full.test.ts', ''],
      ['a/install.nightly.test.ts', ''],
    ]);
    expect(listRest(tests)).toEqual([
      'a/tool.test.ts',
      'a/by-helper.test.ts',
      'a/skipped.test.ts',
      'a/beside.test.ts',
      'a/browser.full.test.ts',
    ]);
  });
});
