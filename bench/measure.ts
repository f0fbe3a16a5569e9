import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Cost of one run of a command. */
export interface Cost {
  readonly wallMs: number;
  /** User and system time of all its processes and threads. */
  readonly cpuMs: number;
  /** Largest resident memory of its largest process. */
  readonly peakMb: number;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command under `time` (Debian package `time`), which can measure memory and CPU time of any program. */
export function measure({ file, args, cwd, env = {} }: Command): Cost {
  const log = join(tmpdir(), `lectern-bench-${process.pid}.time`);
  // Flush data of earlier runs first, so that this does not slow down the measured run.
  spawnSync('sync');
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync('/usr/bin/time', ['-f', '%U %S %M', '-o', log, file, ...args], {
    cwd,
    // Node 20 reads certificate authorities of the machine at every start, which takes 45 ms.
    env: { ...process.env, NODE_EXTRA_CA_CERTS: '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const wallMs = Number(process.hrtime.bigint() - started) / 1e6;
  if (status !== 0)
    throw new Error(`${file} ${args.join(' ')} ended with ${status}:\n${stderr.slice(-2000)}`);
  const [user = 0, system = 0, kilobytes = 0] = readFileSync(log, 'utf8').trim().split(' ').map(Number);
  rmSync(log);
  return { wallMs, cpuMs: (user + system) * 1000, peakMb: kilobytes / 1024 };
}

/** What a running process cost so far, on Linux; zeros elsewhere. */
export function costOf(pid: number | null | undefined): Omit<Cost, 'wallMs'> {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const ticks = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    // Ticks of 10 ms.
    return { cpuMs: (Number(ticks[11]) + Number(ticks[12])) * 10, peakMb: Number(kilobytes) / 1024 };
  } catch {
    return { cpuMs: 0, peakMb: 0 };
  }
}

/** Runs commands one after the other. */
export function measureAll(commands: readonly Command[]): Cost {
  return sumCosts(commands.map(measure));
}

/** Sum of the times, maximum of the peaks. */
export function sumCosts(costs: readonly Cost[]): Cost {
  return {
    wallMs: costs.reduce((sum, { wallMs }) => sum + wallMs, 0),
    cpuMs: costs.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    peakMb: Math.max(...costs.map(({ peakMb }) => peakMb)),
  };
}

/** Field by field, the median run by wall time. */
export function medianCost(costs: readonly Cost[]): Cost {
  return {
    wallMs: median(costs.map(({ wallMs }) => wallMs)),
    cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
    peakMb: median(costs.map(({ peakMb }) => peakMb)),
  };
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? 0;
  return (low + (sorted[Math.floor(middle)] ?? low)) / 2;
}
