import { readVersion } from '../read-version.ts';
import { program } from './command-table.ts';
import { completionFlag } from './parser/completion-script.ts';
import { type FoundCommand, findCommand, nameOf } from './parser/find-command.ts';
import { readFlags } from './parser/read-flags.ts';
import { usageError } from './parser/usage-error.ts';

const programName = 'lectern';

/**
 * Finds the command a command line names, loads it and nothing else, and runs it.
 * @returns the exit code of what did not fail: 0, or 2 where nothing was asked for
 * @throws USAGE for anything it does not understand, exit code 2, and what the command throws
 */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === completionFlag) {
    const { complete } = await import('./parser/complete.ts');
    const answers = await complete(programName, program, rest);
    process.stdout.write(answers.map((answer) => `${answer}\n`).join(''));
    return 0;
  }
  const switches = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  if (switches.includes('--version')) {
    process.stdout.write(`${await readVersion()}\n`);
    return 0;
  }
  const found = await findCommand(programName, program, first === 'help' ? rest : argv);
  if (first === 'help' || switches.includes('--help') || switches.includes('-h')) {
    process.stdout.write(await explain(found));
    return 0;
  }
  if (argv.length === 0) {
    process.stderr.write(await explain(found));
    return 2;
  }
  const { command, args } = found;
  if (found.row === null) throw usageError('which command?');
  if (command.commands.length > 0) throw usageError(`which one: ${listOf(command.commands.map(nameOf))}?`);
  const { values, words } = readFlags(args, command.options);
  await command.run({ ...values, ...readPositionals(found, words) });
  return 0;
}

async function explain({ path, row, command }: FoundCommand): Promise<string> {
  const { formatHelp } = await import('./parser/format-help.ts');
  const names = path.join(' ');
  const help = formatHelp({
    path: names,
    usage: row === null ? `${names} <command>` : [...path.slice(0, -1), row.usage].join(' '),
    describe: row?.describe ?? 'Publishes a help centre as a static site and a chatbot feed.',
    command,
  });
  return `${help}\n`;
}

function readPositionals({ path, row }: FoundCommand, words: readonly string[]): Record<string, string> {
  const places = [...(row?.usage ?? '').matchAll(/<([^>]+)>|\[([^\]]+)\]/g)];
  const extra = words[places.length];
  if (extra !== undefined) throw usageError(`"${extra}" is one word too many`);
  const missing = places.slice(words.length).find(([, required]) => required !== undefined);
  if (missing !== undefined) {
    throw usageError(
      `<${missing[1]}> is missing after "${[...path.slice(1), ...words].join(' ')}"`,
      `${path.join(' ')} --help shows what it needs`,
    );
  }
  return Object.fromEntries(words.map((word, at) => [places[at]?.[1] ?? places[at]?.[2] ?? '', word]));
}

function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
