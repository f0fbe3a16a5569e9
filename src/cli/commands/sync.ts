import { defineCommand } from '../command.ts';
import { clientFlags, insecureFlag, settingFlags } from '../flags.ts';

/** `lectern pull`: the whole knowledge base as a folder of files. */
export const pullCommand = defineCommand({
  positionals: { dir: { describe: 'Folder; created if missing' } },
  options: {
    ...clientFlags,
    'dry-run': {
      type: 'boolean',
      default: false,
      describe: 'Print the plan and stop',
    },
    theirs: {
      type: 'boolean',
      default: false,
      describe: "Resolve conflicts with the service's value of the whole field",
    },
  },
  examples: [
    ['lectern pull kb', 'Write every article into kb/'],
    ['lectern pull kb --dry-run', 'Print what would be written'],
  ],
  run: async (flags) => (await import('../run-sync.ts')).runPull(flags),
});

/** `lectern push`: a folder's changes to the knowledge base. */
export const pushCommand = defineCommand({
  positionals: { dir: { describe: 'Folder in the layout that pull writes' } },
  options: {
    ...clientFlags,
    'dry-run': {
      type: 'boolean',
      default: false,
      describe: 'Print the plan and stop',
    },
    delete: {
      type: 'boolean',
      default: false,
      describe: 'Delete articles that were deleted in the folder',
    },
    'allow-mass-delete': {
      type: 'boolean',
      default: false,
      describe: 'Allow deleting more than 20 % of the articles',
    },
    ours: {
      type: 'boolean',
      default: false,
      describe: "Resolve conflicts with the folder's value of the whole field",
    },
  },
  examples: [
    ['lectern push kb --dry-run', 'Print what would change'],
    ['lectern push kb', 'Apply the changes'],
  ],
  run: async (flags) => (await import('../run-sync.ts')).runPush(flags),
});

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
      describe: "Resolve conflicts with the source's value of the whole field",
    },
    'embed-images': {
      type: 'boolean',
      default: false,
      describe: 'Embed images in the articles instead of keeping their URLs',
    },
    state: {
      type: 'string',
      default: 'lectern-copy.jsonl',
      describe: 'File that records what was copied',
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
