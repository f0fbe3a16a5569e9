import { targetNames } from '../../export/target-names.ts';
import { defineCommand } from '../parser/command.ts';

/** `lectern export`: the feed in the form a chatbot platform takes. */
export const exportCommand = defineCommand({
  positionals: {
    site: { describe: 'Published folder, or URL of the published site (default: the output folder)' },
  },
  options: {
    to: { type: 'string', choices: targetNames, describe: 'Platform' },
    out: { type: 'string', describe: 'Folder that is replaced by the export' },
    cursor: {
      type: 'string',
      describe: 'File that remembers what was exported; later exports hold only what changed since',
    },
    collection: {
      type: 'string',
      default: 'help',
      describe: 'Name of index, collection, class, namespace or table',
    },
    prefix: {
      type: 'string',
      describe: 'Where the files will lie: gs://bucket/folder (vertex), key prefix (bedrock)',
    },
    languages: { type: 'string', describe: 'Only these languages, separated by commas' },
    strict: { type: 'boolean', default: false, describe: 'Fail if a limit of the platform is met' },
    config: {
      type: 'string',
      describe: 'Configuration file (default lectern.config.json), read for a URL and for the output folder',
    },
    json: { type: 'boolean', default: false, describe: 'Print the result as JSON' },
  },
  examples: [
    ['lectern export dist --to pgvector --out export', 'Everything, for an empty table'],
    ['lectern export dist --to openai --out export --cursor cursor.json', 'What changed since the last time'],
  ],
  run: async (flags) => (await import('../run-export.ts')).runExport(flags),
});
