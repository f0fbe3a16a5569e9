import {
  insecureFlag,
  massDeleteFlag,
  outFlag,
  printFlags,
  readBuildFlags,
  reportFlags,
  settingFlags,
  sinceFlag,
  strictFlag,
} from '../build-flags.ts';
import { defineCommand } from '../parser/command.ts';

/** `lectern merge`: shards → the site and feed that one build would have written. */
export const mergeCommand = defineCommand({
  positionals: { shards: { describe: 'Folders of all shards of one build', isList: true } },
  options: {
    ...settingFlags,
    ...outFlag,
    ...massDeleteFlag,
    ...sinceFlag,
    ...strictFlag,
    ...reportFlags,
    ...printFlags,
  },
  examples: [
    ['lectern merge shard-*/', 'Publish into dist/'],
    ['lectern merge shard-*/ --since https://help.example.com/', 'Continue the published feed'],
  ],
  epilogue:
    'Use the snapshot, the configuration and the version that the shards were built with. ' +
    'Exit codes are those of lectern build.',
  run: async (flags) => {
    const { runBuild } = await import('../run-build.ts');
    await runBuild(await readBuildFlags(flags), {
      shards: flags.shards,
      offline: true,
      allowMassDelete: flags['allow-mass-delete'] ?? false,
      strict: flags.strict ?? false,
      ...(flags.since === undefined ? {} : { since: flags.since }),
      insecureLoopback: false,
    });
  },
});

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
