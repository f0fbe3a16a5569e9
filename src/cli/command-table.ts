import { type CommandRow, defineCommand, defineGroup, type Example } from './command.ts';
import type { Program } from './parse-command-line.ts';
import { writeOutput } from './terminal.ts';

/** The commands of one task. */
interface Task {
  readonly title: string;
  readonly commands: readonly CommandRow[];
}

const serviceCommands: readonly CommandRow[] = [
  {
    usage: 'keys',
    describe: 'Create, list and revoke API keys',
    load: async () => (await import('./commands/service-keys.ts')).keysCommand,
  },
  {
    usage: 'backup <file>',
    describe: 'Back up the data, even while the service runs',
    load: async () => (await import('./commands/service-backup.ts')).backupCommand,
  },
  {
    usage: 'restore <file>',
    describe: 'Restore the data from a backup',
    load: async () => (await import('./commands/service-restore.ts')).restoreCommand,
  },
];

/** Every command, by the task for which people use it. Help for a command that is not run needs only its row. */
export const tasks: readonly Task[] = [
  {
    title: 'Publish',
    commands: [
      {
        usage: 'demo',
        describe: 'Build and show the sample help centre',
        load: async () => (await import('./commands/demo.ts')).demoCommand,
      },
      {
        usage: 'init',
        describe: 'Set up a project in this folder',
        load: async () => (await import('./commands/init.ts')).initCommand,
      },
      {
        usage: 'build [folder]',
        describe: 'Publish the site and the feed',
        load: async () => (await import('./commands/build.ts')).buildCommand,
      },
      {
        usage: 'forget <what..>',
        describe: 'Erase the ids and former URLs of what was published',
        load: async () => (await import('./commands/forget.ts')).forgetCommand,
      },
      {
        usage: 'fetch',
        describe: 'Read the knowledge base into a snapshot for offline builds',
        load: async () => (await import('./commands/fetch.ts')).fetchCommand,
      },
    ],
  },
  {
    title: 'Preview and customise',
    commands: [
      {
        usage: 'preview [folder]',
        describe: 'Show the site, and each change as you save it',
        load: async () => (await import('./commands/preview.ts')).previewCommand,
      },
      {
        usage: 'templates',
        describe: 'List, copy and compare the templates of the site',
        load: async () => (await import('./commands/templates.ts')).templatesCommand,
      },
      {
        usage: 'config',
        describe: 'Show every setting with its value and origin',
        load: async () => (await import('./commands/config.ts')).configCommand,
      },
    ],
  },
  {
    title: 'Feed',
    commands: [
      {
        usage: 'feed <dir>',
        describe: 'Write a feed into a site that another generator built',
        load: async () => (await import('./commands/feed.ts')).feedCommand,
      },
      {
        usage: 'verify <feed>',
        describe: 'Check a published feed: hashes, sequence, schema, links',
        load: async () => (await import('./commands/verify.ts')).verifyCommand,
      },
      {
        usage: 'export [feed]',
        describe: 'Convert the feed for a chatbot platform or vector store',
        load: async () => (await import('./commands/export.ts')).exportCommand,
      },
      {
        usage: 'mcp <feed>',
        describe: 'Let assistants (MCP) and readers ask the feed',
        load: async () => (await import('./commands/mcp.ts')).mcpCommand,
      },
      {
        usage: 'diff <old> <new>',
        describe: 'Show what changes for a consumer between two feeds',
        load: async () => (await import('./commands/diff.ts')).diffCommand,
      },
    ],
  },
  {
    title: 'Knowledge base',
    commands: [
      {
        usage: 'pull <dir>',
        describe: 'Write the knowledge base, drafts included, into a folder',
        load: async () => (await import('./commands/pull.ts')).pullCommand,
      },
      {
        usage: 'push <dir>',
        describe: 'Upload the changes of a folder to the knowledge base',
        load: async () => (await import('./commands/push.ts')).pushCommand,
      },
      {
        usage: 'kb',
        describe: 'The API: article, category, search, stats, source',
        load: async () => (await import('./commands/kb.ts')).kbCommand,
      },
    ],
  },
  {
    title: 'Service',
    commands: [
      {
        usage: 'serve',
        describe: 'Run a knowledge-base service of your own',
        load: async () => (await import('./commands/serve.ts')).serveCommand,
      },
      {
        usage: 'service',
        describe: 'keys, backup, restore: its API keys and its data',
        load: () => defineGroup(serviceCommands),
      },
    ],
  },
  {
    title: 'Shell',
    commands: [
      {
        usage: 'completion',
        describe: 'Print a completion script for bash or zsh',
        load: () => completionCommand,
      },
    ],
  },
];

const completionCommand = defineCommand({
  options: {},
  examples: [['lectern completion >> ~/.bashrc', 'For every new shell']],
  run: async () => {
    const { completionScript } = await import('./complete.ts');
    writeOutput(completionScript(process.env.SHELL?.includes('zsh') ?? false));
  },
});

/** What most people need. */
export const firstSteps: readonly Example[] = [
  ['lectern demo', 'See a sample help centre, and the feed made of it'],
  ['lectern build docs', 'Publish the folder docs/ as a site and a feed in dist/'],
  ['lectern preview docs', 'Show the site, and each change as you save it'],
  ['lectern init', 'Set up a project: source, language, a scheduled job'],
  ['lectern verify dist', 'Check the feed before you upload dist/'],
  ['lectern build --help', 'Show the flags of a command'],
];

/** The program with all its commands. */
export const program: Program = {
  name: 'lectern',
  commands: tasks.flatMap(({ commands }) => commands),
  overview: formatOverview(),
};

/** The first screen, at most 80 columns wide. */
function formatOverview(): string {
  const table = (rows: readonly Example[]): string => {
    const width = Math.max(...rows.map(([left]) => left.length));
    return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
  };
  const lists = tasks.map(({ title, commands }) =>
    [`${title}:`, table(commands.map(({ usage, describe }) => [usage.padEnd(16), describe] as const))].join(
      '\n',
    ),
  );
  const about = 'Publishes a help centre as a website for people and a feed for chatbots.';
  return `${[about, table(firstSteps), ...lists].join('\n\n')}\n`;
}
