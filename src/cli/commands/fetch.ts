import { insecureFlag, massDeleteFlag, printFlags, readBuildFlags, settingFlags } from '../build-flags.ts';
import { defineCommand } from '../parser/command.ts';

const { cache: _, ...otherSettings } = settingFlags;

/** `lectern fetch`: the public knowledge base → a snapshot for `build --offline`. */
export const fetchCommand = defineCommand({
  options: {
    out: {
      type: 'string',
      group: 'Output:',
      describe: 'Folder of the snapshot (default: the cache folder, .lectern)',
    },
    ...otherSettings,
    ...massDeleteFlag,
    ...insecureFlag,
    ...printFlags,
  },
  examples: [
    ['lectern fetch', 'Read the knowledge base into .lectern'],
    ['lectern fetch --out snapshot', 'Then: lectern build --offline --cache snapshot'],
  ],
  epilogue:
    'The snapshot holds only public articles and their images. ' +
    'The API key is read from the variable LECTERN_API_KEY.',
  run: async ({ out, ...flags }) => {
    const { runFetch } = await import('../run-shard.ts');
    await runFetch(await readBuildFlags({ ...flags, cache: out }), {
      allowMassDelete: flags['allow-mass-delete'] ?? false,
      insecureLoopback: flags['insecure-loopback'] ?? false,
    });
  },
});
