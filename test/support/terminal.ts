import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { lecternEnvironment, lecternProgram } from './lectern.ts';

/** Runs a command in a pseudo-terminal of so many columns, and copies what it prints. */
const script = `
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, int(sys.argv[1]), 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    os.write(1, part)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/**
 * Runs the compiled program in a terminal, as a user does, and returns what that shows: stdout and stderr together, with `\n` for line ends.
 * @param python path of Python 3.9 or later, which has pseudo-terminals
 */
export async function runInTerminal(
  python: string,
  args: readonly string[],
  { cwd, env, columns }: { cwd: string; env: Readonly<Record<string, string>>; columns: number },
): Promise<string> {
  const argv = ['-c', script, String(columns), process.execPath, lecternProgram, ...args];
  const child = spawn(python, argv, {
    cwd,
    env: lecternEnvironment({ TERM: 'xterm-256color', ...env }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return (await text(child.stdout)).replaceAll('\r\n', '\n');
}
