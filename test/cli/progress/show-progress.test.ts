import { describe, expect, it } from 'vitest';
import { formatProgress, type ProgressTarget, showProgress } from '../../../src/cli/show-progress.ts';
import type { BuildProgress } from '../../../src/core/report.ts';

/** Shows 5,000 articles fetched at one per millisecond, then two rendered. */
function run(style: ProgressTarget['style'], columns = 80): string {
  let text = '';
  let ms = 0;
  const write = (piece: string) => {
    text += piece;
  };
  const display = showProgress({
    write,
    rewrite: (line) => write(`\r\x1b[2K${line}`),
    style,
    columns,
    now: () => ms,
  });
  const steps: BuildProgress[] = [];
  for (let done = 1; done <= 5000; done++) steps.push({ kind: 'articles', done, total: 5000 });
  steps.push({ kind: 'rendering', done: 1, total: 2 }, { kind: 'rendering', done: 2, total: 2 });
  for (const step of steps) {
    ms += 1;
    display.update(step);
  }
  display.end();
  return text;
}

describe('formatProgress', () => {
  it.each([
    [
      { kind: 'articles', done: 1200, total: 5000 },
      3000,
      'Reading 1,200 of 5,000 articles, 400/s, 10 s left',
    ],
    [{ kind: 'articles', done: 1200, total: null }, 3000, 'Reading 1,200 articles, 400/s'],
    [
      { kind: 'rendering', done: 10, total: 1000 },
      1000,
      'Rendering 10 of 1,000 articles, 10/s, 1 min 39 s left',
    ],
    [{ kind: 'writing', done: 0, total: null }, 10, 'Writing lists, search and feed'],
  ] satisfies [BuildProgress, number, string][])('writes %j after %i ms', (progress, elapsedMs, text) => {
    expect(formatProgress(progress, elapsedMs)).toBe(text);
  });
});

describe('showProgress', () => {
  it('rewrites one line of a terminal, within its width, and clears it at the end', () => {
    const lines = run('line', 30).split('\r\x1b[2K');
    expect(lines.at(0)).toBe('');
    expect(lines.at(-1)).toBe('');
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.length).toBeLessThan(80);
    for (const line of lines) expect(line.length).toBeLessThan(30);
  });

  it('prints one plain line per kind of work without a terminal', () => {
    expect(run('plain')).toBe('Reading 5,000 of 5,000 articles, 1,000/s\nRendering 2 of 2 articles\n');
  });

  it('prints one JSON object per line and second for programs', () => {
    const events = run('json').trimEnd().split('\n');
    expect(events.length).toBe(6);
    expect(JSON.parse(events.at(-1) ?? '')).toEqual({
      event: 'progress',
      kind: 'rendering',
      done: 2,
      total: 2,
    });
  });

  it('prints nothing if it is quiet', () => {
    expect(run('none')).toBe('');
  });
});
