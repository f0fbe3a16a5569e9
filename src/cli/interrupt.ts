import { LecternError } from '../core/errors.ts';

/** Exit codes after a signal, as in shells: 128 plus the number of the signal. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

type Signal = keyof typeof exitCodes;

const signals = Object.keys(exitCodes) as Signal[];

/** The running command that needs cleaning up, if any. */
const running = new Set<AbortController>();

/**
 * Runs work that has to clean up: the first signal aborts it, and the program exits after the clean-up.
 * @param work is aborted with an INTERRUPTED error as the reason
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  running.add(controller);
  try {
    return await work(controller.signal);
  } finally {
    running.delete(controller);
  }
}

interface SignalHandlers {
  /** The exit code after a signal; `null` if there was none. */
  exitCode(): number | null;
  remove(): void;
}

/**
 * Handles the signals that end a program. Without handlers, process 1 of a container would ignore them. If nothing is {@link
 * interruptible}, or at the second signal, the program exits immediately.
 */
export function handleSignals(): SignalHandlers {
  let exitCode: number | null = null;
  const handle = (signal: Signal): void => {
    if (exitCode !== null || running.size === 0) process.exit(exitCodes[signal]);
    exitCode = exitCodes[signal];
    const reason = new LecternError('INTERRUPTED', `stopped by ${signal}`, {
      hint: 'the run was stopped before it was complete; run it again',
    });
    for (const controller of running) controller.abort(reason);
  };
  for (const signal of signals) process.on(signal, handle);
  return {
    exitCode: () => exitCode,
    remove() {
      for (const signal of signals) process.off(signal, handle);
    },
  };
}
