import { type Command, defineCommand } from './parser/command.ts';

/** The program with all its commands. Help for a command that is not run needs only its row. */
export const program: Command = {
  positionals: {},
  options: {},
  commands: [
    {
      usage: 'init',
      describe: 'Set up a project in this folder',
      load: async () => (await import('./commands/init.ts')).initCommand,
    },
    {
      usage: 'build',
      describe: 'Fetch the knowledge base and publish site and feed',
      load: async () => (await import('./commands/build.ts')).buildCommand,
    },
    {
      usage: 'fetch',
      describe: 'Read the knowledge base into a snapshot for offline builds',
      load: async () => (await import('./commands/build.ts')).fetchCommand,
    },
    {
      usage: 'merge <shards..>',
      describe: 'Merge the shards of a build and publish them',
      load: async () => (await import('./commands/build.ts')).mergeCommand,
    },
    {
      usage: 'preview',
      describe: 'Preview the site on this machine',
      load: async () => (await import('./commands/preview.ts')).previewCommand,
    },
    {
      usage: 'config',
      describe: 'Show every setting with its value and origin',
      load: async () => (await import('./commands/config.ts')).configCommand,
    },
    {
      usage: 'templates',
      describe: 'List, eject and compare the templates of the site',
      load: async () => (await import('./commands/templates.ts')).templatesCommand,
    },
    {
      usage: 'verify <feed>',
      describe: 'Check a published feed: hashes, sequence, schema, links',
      load: async () => (await import('./commands/feed.ts')).verifyCommand,
    },
    {
      usage: 'keygen',
      describe: 'Create a key pair for signing the feed',
      load: async () => (await import('./commands/feed.ts')).keygenCommand,
    },
    {
      usage: 'feed <command>',
      describe: 'Compare, measure and announce feeds',
      load: async () => (await import('./commands/feed.ts')).feedCommand,
    },
    {
      usage: 'export [feed]',
      describe: 'Convert the feed for a chatbot platform or vector store',
      load: async () => (await import('./commands/export.ts')).exportCommand,
    },
    {
      usage: 'mcp <feed>',
      describe: 'Serve the feed to assistants (Model Context Protocol)',
      load: async () => (await import('./commands/mcp.ts')).mcpCommand,
    },
    {
      usage: 'serve',
      describe: 'Serve a knowledge base over HTTPS (SQLite or PostgreSQL)',
      load: async () => (await import('./commands/service.ts')).serveCommand,
    },
    {
      usage: 'push <dir>',
      describe: 'Upload the changes of a folder to the knowledge base',
      load: async () => (await import('./commands/sync.ts')).pushCommand,
    },
    {
      usage: 'pull <dir>',
      describe: 'Write the knowledge base, drafts included, into a folder',
      load: async () => (await import('./commands/sync.ts')).pullCommand,
    },
    {
      usage: 'copy',
      describe: 'Copy the public content of a source into a knowledge base',
      load: async () => (await import('./commands/sync.ts')).copyCommand,
    },
    {
      usage: 'keys',
      describe: 'Create, list and revoke API keys of the embedded service',
      load: async () => (await import('./commands/service.ts')).keysCommand,
    },
    {
      usage: 'backup <file>',
      describe: 'Back up the data of the embedded service, even while it runs',
      load: async () => (await import('./commands/service.ts')).backupCommand,
    },
    {
      usage: 'restore <file>',
      describe: 'Restore the data of the embedded service from a backup',
      load: async () => (await import('./commands/service.ts')).restoreCommand,
    },
    {
      usage: 'source',
      describe: 'Print all public articles as JSON or plain text',
      load: async () => (await import('./commands/queries.ts')).sourceCommand,
    },
    {
      usage: 'article',
      describe: 'List, read, create, update and delete articles',
      load: async () => (await import('./commands/records.ts')).articleCommand,
    },
    {
      usage: 'category',
      describe: 'List, read, create and update categories',
      load: async () => (await import('./commands/records.ts')).categoryCommand,
    },
    {
      usage: 'search <text>',
      describe: 'Search articles',
      load: async () => (await import('./commands/queries.ts')).searchCommand,
    },
    {
      usage: 'stats',
      describe: 'Show views per article, most viewed first',
      load: async () => (await import('./commands/queries.ts')).statsCommand,
    },
    {
      usage: 'completion',
      describe: 'Print a completion script for bash or zsh',
      load: () => completionCommand,
    },
  ],
  examples: [
    ['lectern init', 'Set up a project in this folder'],
    ['lectern build', 'Publish into dist/'],
    ['lectern preview', 'Serve the site locally'],
  ],
  epilogue: 'Run lectern <command> --help for the options of a command.',
  run: () => {},
};

const completionCommand = defineCommand({
  options: {},
  examples: [['lectern completion >> ~/.bashrc', 'For every new shell']],
  run: async () => (await import('./parser/parse-values.ts')).printCompletionScript('lectern'),
});
