import { defineCommand, usageError } from '../command.ts';
import { pullFlags } from '../flags.ts';

/** `lectern pull`: the whole knowledge base, or the public content of any source, as a folder of files. */
export const pullCommand = defineCommand({
  positionals: { dir: { describe: 'Folder; created if missing' } },
  options: pullFlags,
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

const sourceFlags = ['default-language', 'languages', 'cache', 'embed-images', 'report'] as const;
