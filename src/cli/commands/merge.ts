import { defineCommand } from '../command.ts';
import {
  massDeleteFlag,
  noindexFlag,
  outFlag,
  printFlags,
  readBuildFlags,
  reportFlags,
  settingFlags,
  sinceFlag,
  strictFlag,
} from '../flags.ts';

/** `lectern merge`: shards → the site and feed that one build would have written. */
export const mergeCommand = defineCommand({
  positionals: { shards: { describe: 'Folders of all shards of one build', isList: true } },
  options: {
    ...settingFlags,
    ...outFlag,
    ...noindexFlag,
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
    'Use the cache folder, the configuration and the version that the shards were built with. ' +
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
