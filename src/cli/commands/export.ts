import { targetNames } from '../../export/target-names.ts';
import { defineCommand } from '../parser/command.ts';

/** `lectern export`: the feed in the form a chatbot platform takes. */
export const exportCommand = defineCommand({
  positionals: {
    site: { describe: 'Published folder, or URL of the published site (default: the output folder)' },
  },
  options: {
    to: { type: 'string', choices: targetNames, describe: 'Platform' },
    out: { type: 'string', describe: 'Output folder; the export replaces it' },
    cursor: {
      type: 'string',
      describe: 'File with the state of the last export; only changes since then are exported',
    },
    collection: {
      type: 'string',
      default: 'help',
      describe: 'Name of the index, collection, class, namespace or table',
    },
    prefix: {
      type: 'string',
      describe: 'Upload location: gs://bucket/folder (vertex), key prefix (bedrock)',
    },
    languages: { type: 'string', describe: 'Languages, e.g. en,de (default all)' },
    strict: { type: 'boolean', default: false, describe: 'Fail if an item exceeds a limit of the platform' },
    config: {
      type: 'string',
      describe: 'Configuration file (default lectern.config.json)',
    },
    json: { type: 'boolean', default: false, describe: 'Print the result as JSON' },
  },
  examples: [
    ['lectern export dist --to pgvector --out export', 'Everything, for an empty table'],
    [
      'lectern export dist --to openai --out export --cursor cursor.json',
      'Only changes since the last export',
    ],
  ],
  run: async (flags) => (await import('../run-export.ts')).runExport(flags),
});
