import { insecureFlag, settingFlags } from '../build-flags.ts';
import { defineCommand } from '../parser/command.ts';

const { source: _, 'site-url': _site, ...settings } = settingFlags;

/** `lectern copy`: the public content of a source into a service with the API. */
export const copyCommand = defineCommand({
  options: {
    from: {
      type: 'string',
      describe: 'Source: api, zendesk or folder:DIR (default: that of the configuration)',
    },
    to: { type: 'string', describe: 'URL of the knowledge-base API to copy into, ending in /v1' },
    yes: { type: 'boolean', default: false, describe: 'Apply the plan; without it, it is only shown' },
    'dry-run': { type: 'boolean', default: false, describe: 'Only show the plan' },
    ours: {
      type: 'boolean',
      default: false,
      describe: "Where both sides have changed since the last copy, send the source's version",
    },
    'embed-images': {
      type: 'boolean',
      default: false,
      describe: 'Put images into the articles instead of keeping their addresses',
    },
    state: {
      type: 'string',
      default: 'lectern-copy.jsonl',
      describe: 'File that remembers which records have been copied',
    },
    report: { type: 'string', describe: 'Write what could not be carried over (JSON) to this file' },
    ...settings,
    ...insecureFlag,
  },
  examples: [
    ['lectern copy --from folder:./docs --to https://kb.example.com/v1', 'What would be copied?'],
    ['lectern copy --from folder:./docs --to https://kb.example.com/v1 --yes', 'Copy it'],
  ],
  epilogue:
    'The key of the source is read from the variable LECTERN_API_KEY, that of the target from LECTERN_TO_API_KEY.',
  run: async (flags) => (await import('../run-copy.ts')).runCopy(flags),
});
