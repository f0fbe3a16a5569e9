import { execFileSync } from 'node:child_process';

/** Creates a named pipe without a writer: a program that opens it as a file waits forever. */
export async function makePipe(path: string): Promise<void> {
  execFileSync('mkfifo', [path]);
}
