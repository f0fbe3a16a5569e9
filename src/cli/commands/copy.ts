import { insecureFlag, settingFlags } from '../flags.ts';
import { defineCommand } from '../parser/command.ts';

const { source: _, 'site-url': _site, ...settings } = settingFlags;

/** `lectern copy`: the public content of a source into a service with the API. */
export const copyCommand = defineCommand({
  options: {
    from: {
      type: 'string',
      describe: 'Source: api, folder:DIR or zendesk (default: from the configuration)',
    },
    to: { type: 'string', describe: 'URL of the target API, ending in /v1' },
    yes: { type: 'boolean', default: false, describe: 'Apply the plan (default: print it)' },
    'dry-run': { type: 'boolean', default: false, describe: 'Print the plan and stop' },
    ours: {
      type: 'boolean',
      default: false,
      describe: "Resolve conflicts with the source's values",
    },
    'embed-images': {
      type: 'boolean',
      default: false,
      describe: 'Embed images in the articles instead of keeping their URLs',
    },
    state: {
      type: 'string',
      default: 'lectern-copy.jsonl',
      describe: 'File that maps the copied records',
    },
    report: { type: 'string', describe: 'Write the problems (JSON) to this file' },
    ...settings,
    ...insecureFlag,
  },
  examples: [
    ['lectern copy --from folder:./docs --to https://kb.example.com/v1', 'Print what would be copied'],
    ['lectern copy --from folder:./docs --to https://kb.example.com/v1 --yes', 'Apply the plan'],
  ],
  epilogue: 'LECTERN_API_KEY is the key of the source, LECTERN_TO_API_KEY the key of the target.',
  run: async (flags) => (await import('../run-copy.ts')).runCopy(flags),
});
