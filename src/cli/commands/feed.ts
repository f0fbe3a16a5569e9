import { defineCommand } from '../command.ts';
import { printFlags, readBuildFlags, reportFlag, safetyFlags, settingFlags } from '../flags.ts';

const { config, languages, cache } = settingFlags;
const { offline: _, 'insecure-loopback': __, ...ownSafety } = safetyFlags;

/** `lectern feed`: a built site → its feed, `llms.txt` and Markdown copies, in the folder of the site. */
export const feedCommand = defineCommand({
  positionals: { dir: { describe: 'Folder with the HTML that your site generator wrote' } },
  options: {
    'site-url': settingFlags['site-url'],
    'default-language': settingFlags['default-language'],
    languages,
    config,
    cache: { ...cache, describe: 'Folder in which the feed and its history are kept (default .lectern)' },
    ...ownSafety,
    ...reportFlag,
    ...printFlags,
  },
  examples: [
    [
      'lectern feed build --site-url https://docs.example.com',
      'After the build of the site, before its upload',
    ],
    ['lectern feed public --since https://docs.example.com', 'Without a cache: continue the published feed'],
  ],
  epilogue:
    'Writes feed/, llms.txt and a Markdown copy of each page. Other files of the folder are neither changed nor removed. ' +
    'Exit codes: 0 written, 1 failed (the feed is unchanged), 2 wrong command line or configuration.',
  run: async ({ dir, ...flags }) => {
    const { runBuild } = await import('../run-build.ts');
    const built = { ...flags, source: `site:${dir}`, 'base-url': undefined };
    await runBuild(await readBuildFlags('feed', built), 'feed');
  },
});
