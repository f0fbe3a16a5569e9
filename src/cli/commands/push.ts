import { defineCommand, usageError } from '../command.ts';
import { clientFlags, settingFlags } from '../flags.ts';

const { source: _, 'site-url': _site, ...sourceFlags } = settingFlags;

/** `lectern push`: the changes of a folder, or the public content of a source, to the knowledge base. */
export const pushCommand = defineCommand({
  positionals: { dir: { describe: 'Folder in the layout that pull writes' } },
  options: {
    ...sourceFlags,
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
      describe: "Resolve conflicts with this side's value of the whole field",
    },
    from: { type: 'string', describe: 'Instead of a folder of pull, a source: api, folder:DIR or zendesk' },
    to: { type: 'string', describe: 'With --from: URL of the API to push to, ending in /v1' },
    'embed-images': {
      type: 'boolean',
      default: false,
      describe: 'With --from: embed images in the articles instead of keeping their URLs',
    },
    state: {
      type: 'string',
      default: 'lectern-push.json',
      describe: 'With --from: file that records what was pushed',
    },
    report: { type: 'string', describe: 'With --from: write the problems (JSON) to this file' },
  },
  examples: [
    ['lectern push kb --dry-run', 'Print what would change'],
    ['lectern push kb', 'Apply the changes'],
    [
      'lectern push --from folder:./docs --to https://kb.example.com/v1',
      'Create and update the articles of another source',
    ],
  ],
  epilogue: 'With --from, LECTERN_API_KEY is the key of the source, and LECTERN_TO_API_KEY the key of --to.',
  run: async ({ from, ...flags }) => {
    const dir: string | undefined = flags.dir;
    if ((dir === undefined) === (from === undefined))
      throw usageError('pass a folder, or a source with --from', 'for example: lectern push kb');
    if (from === undefined && flags.to !== undefined)
      throw usageError('--to is only for --from', 'a folder goes to --base-url');
    if (from === undefined) return (await import('../run-sync.ts')).runPush(flags);
    if (flags.delete) throw usageError('--delete does nothing with --from', 'leave it out');
    return (await import('../run-push-source.ts')).runPushSource({ ...flags, from });
  },
});
