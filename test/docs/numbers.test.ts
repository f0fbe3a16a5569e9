import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/api/record-text.ts';
import { maxDropPercent } from '../../src/core/config/source-settings.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const oneLine = (path: string): string => read(path).replaceAll(/\s+/g, ' ');

/** Cells of the rows of all tables of a page. */
function rowsOf(path: string): readonly (readonly string[])[] {
  return read(path)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1));
}

/** Rows with a figure. */
const isMeasured = (row: readonly string[]): boolean => row.slice(1).some((cell) => /\d/.test(cell));

describe('numbers of the documentation', () => {
  it('are those of bench/RESULTS.md, in docs/performance.md', () => {
    const measured = rowsOf('docs/performance.md').filter(isMeasured);
    expect(measured.length).toBeGreaterThanOrEqual(5);
    expect(rowsOf('bench/RESULTS.md')).toEqual(expect.arrayContaining(measured.map((row) => [...row])));
    const [hugo] = /Hugo took [\d.]+ s [^.]*\.\d s/.exec(oneLine('docs/performance.md')) ?? [];
    expect(oneLine('bench/RESULTS.md')).toContain(hugo);
  });

  it('are those of docs/performance.md, rounded, in the README', () => {
    const rows = new Map(rowsOf('docs/performance.md').map(([name = '', ...cells]) => [name, cells]));
    const [seconds, , megabytes] = rows.get('everything, from nothing') ?? [];
    const [, said, gigabytes] =
      /15,000 pages take (\d+) seconds and ([\d.]+) GB/.exec(oneLine('README.md')) ?? [];
    expect(Number(said)).toBe(Math.round(Number.parseFloat(seconds ?? '')));
    expect(Number(gigabytes)).toBe(Math.round(Number.parseFloat(megabytes ?? '') / 100) / 10);
    const [unchanged = ''] = rows.get('nothing changed') ?? [];
    expect(oneLine('README.md')).toContain(
      `a run without changes takes ${unchanged.replace(' s', ' seconds')} (`,
    );
  });

  it('are those of bench/RESULTS.md, in the section of docs/chatbot-feed.md about chunks', () => {
    const rows = new Map(rowsOf('bench/RESULTS.md').map(([name = '', ...cells]) => [name, cells]));
    const [first, tokens] = rows.get('chunks of the feed') ?? [];
    const [next] = rows.get('chunks, answered with the next one') ?? [];
    const [windows, windowTokens] = rows.get('windows of 500') ?? [];
    const page = oneLine('docs/chatbot-feed.md');
    const firstOf = (cell: string | undefined) => cell?.split(' / ')[0];
    expect(page).toContain(
      `holds the answer to ${firstOf(first)}, with ${tokens?.split(' ')[0]} tokens on average; with the next one, ${firstOf(next)}.`,
    );
    expect(page).toContain(
      `Windows of 500 tokens hold ${firstOf(windows)}, with ${windowTokens?.split(' ')[0]} tokens.`,
    );
  });

  it('are those of the code, about limits and counts', () => {
    const locales = readdirSync(join(root, 'templates/locales')).length;
    expect(read('README.md')).toContain(`${locales} languages`);
    expect(maxDropPercent({ kind: 'api' })).toBe(20);
    expect(maxDropPercent({ kind: 'folder' })).toBe(50);
    expect(oneLine('docs/deploy.md')).toContain('more than 20 % of the articles are lost');
    expect(oneLine('docs/service.md')).toContain(`${limits.bodyCharacters.toLocaleString('en')} characters`);
    const hosts = ['redirects-file', 'vercel']
      .map((name) => read(`src/site/redirects/hosts/${name}.ts`))
      .join('');
    const redirects = read('docs/redirects.md');
    for (const [code, said] of [
      ['rules: 2000, lineCharacters: 1000', '2,000 rules of 1,000 characters'],
      ['maxRoutes = 2048', '2,048 rules'],
    ] as const) {
      expect(hosts).toContain(code);
      expect(redirects).toContain(said);
    }
  });
});
