import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `npm run stress:random -- [--rounds 10 | --minutes N] [--runs 50] [PATH …]`: runs the property tests (below PATH, e.g.
 * `test/content`) over and over, each round with a fresh random seed and `--runs` times as many cases as the suite tries.
 * Prints the seed, the counterexample and the command that shows it again for each failure, and exits 1 if there was any.
 */
const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    runs: { type: 'string', default: '50' },
  },
  allowPositionals: true,
});
const folders = positionals.length > 0 ? positionals : ['test'];
const files = folders.flatMap(findPropertyTests);
if (files.length === 0) throw new Error(`no property test lies below ${folders.join(', ')}`);
const minutes = values.minutes === undefined ? Number.POSITIVE_INFINITY : positive('minutes', values.minutes);
const rounds =
  values.rounds === undefined && values.minutes !== undefined
    ? Number.POSITIVE_INFINITY
    : positive('rounds', values.rounds ?? '10');
const runs = positive('runs', values.runs);
const work = mkdtempSync(join(tmpdir(), 'lectern-stress-random-'));
const started = performance.now();
let failures = 0;
let round = 0;
while (round < rounds && performance.now() - started < minutes * 60_000) {
  round += 1;
  const seed = randomInt(1, 2 ** 31);
  const failed = await runTests(seed);
  failures += failed.length;
  for (const failure of failed) console.log(describeFailure(failure, seed));
  console.error(`round ${round}, seed ${seed}: ${failed.length} failed`);
}
rmSync(work, { recursive: true, force: true });
console.log(`${failures} failures in ${round} rounds`);
if (failures > 0) process.exitCode = 1;

/** A failed test in the JSON report of Vitest. */
interface Failure {
  readonly file: string;
  readonly title: string;
  readonly messages: readonly string[];
}

interface TestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

async function runTests(seed: number): Promise<Failure[]> {
  const report = join(work, 'report.json');
  rmSync(report, { force: true });
  const args = [
    'run',
    '--tags-filter=property',
    '--reporter=json',
    `--outputFile=${report}`,
    '--maxWorkers=1',
  ];
  const child = spawn(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), ...args, ...files], {
    env: { ...process.env, LECTERN_SEED: String(seed), LECTERN_RUNS: String(runs) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'exit');
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as TestReport;
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative('.', name);
    const failed = assertionResults.filter((result) => result.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [{ file, title: '', messages: [message] }];
    return failed.map(({ title, failureMessages }) => ({ file, title, messages: failureMessages ?? [] }));
  });
}

/** Describes a failure: the test, the message, and the command that reproduces it. */
function describeFailure({ file, title, messages }: Failure, seed: number): string {
  const again = `LECTERN_SEED=${seed} LECTERN_RUNS=${runs} npx vitest run ${file} --tags-filter=property`;
  const lines = messages.join('\n').split('\n');
  const stack = lines.findIndex((line) => /^ {4}at /.test(line));
  const told = (stack < 0 ? lines : lines.slice(0, stack)).slice(0, 40);
  return [`${file} › ${title}`, ...told.map((line) => `  ${line.slice(0, 2000)}`), `  ${again}`, ''].join(
    '\n',
  );
}

function findPropertyTests(folder: string): string[] {
  if (folder.endsWith('.ts')) return [folder];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join(folder, path))
    .filter((path) => readFileSync(path, 'utf8').includes("tags: 'property'"))
    .filter((path) => !path.endsWith('architecture.test.ts'))
    .sort();
}

function positive(name: string, value: string): number {
  const number = Number(value);
  if (!(number > 0)) throw new Error(`--${name} is a positive number, not "${value}"`);
  return number;
}
