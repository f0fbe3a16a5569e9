import { LecternError } from '../errors.ts';
import { readVersion } from '../read-version.ts';
import { formatError } from './print-error.ts';

/**
 * Runs the program for a command line (without node and script).
 * @returns the exit code: 0 done, 1 the run failed, 2 the command line or configuration is wrong
 */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    // The parser takes longer to load than to answer this.
    if (argv.length === 1 && argv[0] === '--version') {
      process.stdout.write(`${await readVersion()}\n`);
      return 0;
    }
    const { createParser } = await import('./create-parser.ts');
    const parser = createParser(argv, await readVersion());
    if (argv.length === 0) {
      process.stderr.write(`${await parser.getHelp()}\n`);
      return 2;
    }
    await parser.parseAsync();
    return 0;
  } catch (error) {
    const style = { json: argv.includes('--json'), github: process.env.GITHUB_ACTIONS === 'true' };
    process.stderr.write(formatError(error, style));
    return error instanceof LecternError ? error.exitCode : 1;
  }
}
