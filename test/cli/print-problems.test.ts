import { expect, it, onTestFinished, vi } from 'vitest';
import { printProblems } from '../../src/cli/print-problems.ts';
import { problem } from '../../src/core/problems.ts';
import { reportProblems } from '../../src/core/report.ts';

function printed(problems: Parameters<typeof reportProblems>[0]): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  printProblems('stdout', reportProblems(problems, null), 'lectern fetch --verbose lists all of them.');
  return write.mock.calls.join('');
}

it('prints warnings, and no empty line if all problems are for information', () => {
  expect(printed([problem('SECRET_SAMPLE', 'a sample')])).toBe('');
  expect(printed([problem('LINK_TO_HIDDEN', 'a link')])).toMatch(/LINK_TO_HIDDEN/);
  const many = ['1', '2', '3', '4'].map((name) => problem('LINK_TO_HIDDEN', name));
  expect(printed(many)).toMatch(/… and 1 more\n.*\n {2}lectern fetch --verbose lists all of them\.\n$/s);
});
