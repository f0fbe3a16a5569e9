import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processStart } from '../../src/output/lock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe.runIf(existsSync('/proc/self/stat'))('when a process began', () => {
  it('is the same each time, and another for another process', () => {
    expect(processStart(process.pid)).toMatch(/^[-\da-f]+\/\d+$/);
    expect(processStart(process.pid)).toBe(processStart(process.pid));
    expect(processStart(process.ppid)).not.toBe(processStart(process.pid));
  });

  it('is found whatever its name', async () => {
    const folder = temporaryFolder();
    const program = join(folder, 'a) Z 1 (b');
    symlinkSync(process.execPath, program);
    const child = spawn(program, ['-e', 'console.log(1); setInterval(() => {}, 1000)']);
    await once(child.stdout, 'data');
    try {
      expect(processStart(child.pid ?? 0)).toMatch(/^[-\da-f]+\/\d+$/);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  it('is unknown of a process that is gone', () => {
    expect(processStart(2 ** 22 + 1)).toBeNull();
  });
});
