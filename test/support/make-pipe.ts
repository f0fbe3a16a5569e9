import { execFileSync } from 'node:child_process';

/** Makes a named pipe, which nobody writes to: a program that opens it as a file waits for ever. */
export async function makePipe(path: string): Promise<void> {
  execFileSync('mkfifo', [path]);
}
