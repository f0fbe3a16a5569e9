import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatError } from '../../src/cli/format-error.ts';
import { formatProblems } from '../../src/cli/format-report.ts';
import { formatGithubAnnotations, formatGithubSummary } from '../../src/cli/reports/github.ts';
import { createPaint } from '../../src/cli/terminal.ts';
import { LecternError } from '../../src/core/errors.ts';
import { problem } from '../../src/core/problems.ts';
import { reportProblems } from '../../src/core/report.ts';
import { runLectern } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { sampleReport } from './support/sample-report.ts';

/** C0 but tab and line feed, DEL, C1, and all that turns the direction of text around. */
const codes = [
  ...Array.from({ length: 0x20 }, (_, code) => code).filter((code) => code !== 9 && code !== 10),
  ...Array.from({ length: 0x21 }, (_, at) => 0x7f + at),
  ...[0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
];
const hostile = codes.map((code) => `${String.fromCharCode(code)}x`).join('');
const raw = new RegExp(`[${codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('')}]`, 'g');

const error = new LecternError('SERVER_ERROR', `it says ${hostile}`, { hint: `look ${hostile}` });
const report = sampleReport({
  problems: reportProblems([
    problem('LINK_BROKEN', `the link "${hostile}" leads nowhere`, { articleId: 'a' }),
  ]),
});
const paint = createPaint({}, {});

const printed: Readonly<Record<string, string>> = {
  'an error': formatError(error, { json: false, github: true, paint, width: null }),
  'an error as JSON': formatError(error, { json: true, github: true, paint, width: null }),
  'a bug': formatError(new Error(hostile), { json: false, github: true, paint, width: null }),
  'the summary': formatProblems(report.problems, { width: 80, paint, isVerbose: false, rest: '' }).join('\n'),
  annotations: formatGithubAnnotations(report),
  'the step summary': formatGithubSummary(report),
};

describe('text of authors and servers', () => {
  it.each(Object.keys(printed))('holds no raw control or direction character in %s', (name) => {
    const text = printed[name] ?? '';
    expect(text.match(raw) ?? []).toEqual([]);
    expect(text).toContain('x');
  });

  it('means the same in JSON', () => {
    const line = formatError(error, { json: true, github: false, paint, width: null });
    expect(JSON.parse(line)).toMatchObject({ message: `it says ${hostile}` });
  });

  it('in a command line is escaped by the program itself', async () => {
    const { stderr } = await runLectern(['verify', 'no\u009b31m\u202ewhere'], { cwd: tmpdir() });
    expect(stderr.match(raw) ?? []).toEqual([]);
    expect(stderr).toContain('\\u009b31m\\u202ewhere');
  });

  it('in settings is escaped by the program itself', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'lectern.config.json'), '{ "site": { "title": "a\u009bx\u202ey" } }');
    const { stdout } = await runLectern(['config'], { cwd: folder });
    expect(stdout.match(raw) ?? []).toEqual([]);
    expect(stdout).toContain('a\\u009bx\\u202ey');
  });
});
