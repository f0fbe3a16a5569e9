import { defineCommand, usageError } from '../command.ts';
import { clientFlags, planFlag, settingFlags } from '../flags.ts';

const group = 'With --source:';

/** `lectern pull`: the whole knowledge base, or the public content of any source, as a folder of files. */
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
      describe: "Resolve conflicts with the other side's value of the whole field",
    },
    ...planFlag,
    source: {
      type: 'string',
      group,
      describe: 'Write what a folder, a built site, zendesk or api publishes',
    },
    'default-language': { ...settingFlags['default-language'], group },
    languages: { ...settingFlags.languages, group },
    cache: { ...settingFlags.cache, group },
    'embed-images': {
      type: 'boolean',
      default: false,
      group,
      describe: 'Copy images of other hosts instead of keeping their URLs',
    },
    'allow-mass-delete': {
      type: 'boolean',
      default: false,
      group,
      describe: 'Allow removing more than 20 % of the articles',
    },
    report: { type: 'string', group, describe: 'Write the problems (JSON) to this file' },
  },
  examples: [
    ['lectern pull kb', 'Write every article into kb/'],
    ['lectern pull kb --dry-run', 'Print what would be written'],
    ['lectern pull moved --source docs', 'Write the public articles of another source into moved/'],
  ],
  run: async ({ source, ...flags }) => {
    if (source !== undefined)
      return (await import('../run-pull-source.ts')).runPullSource({ ...flags, source });
    for (const name of sourceFlags)
      if (flags[name] !== undefined && flags[name] !== false)
        throw usageError(`--${name} needs --source`, 'for example: lectern pull kb --source zendesk');
    return (await import('../run-sync.ts')).runPull(flags);
  },
});

const sourceFlags = [
  'default-language',
  'languages',
  'cache',
  'embed-images',
  'allow-mass-delete',
  'report',
] as const;
