import { readFileSync } from 'node:fs';

/** A process of this machine: when it began (in no unit, but never the same for two with one id), or that it has ended. */
export type ProcessStart = string | 'ended';

/** Fields of `/proc/PID/stat` after the name, counted from the state, which is field 3 (proc_pid_stat(5)). */
const startField = 22 - 3;

/**
 * When a process began, to tell it from a later one that was given the same id. `null` where the system does not say:
 * only Linux does, and only of processes one may see.
 */
export function processStart(pid: number): ProcessStart | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in parentheses and may hold anything, parentheses too.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie: it has ended, and nobody asked how.
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
    const ticks = fields[startField];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return ticks === undefined ? null : `${boot}/${ticks}`;
  } catch {
    return null;
  }
}
