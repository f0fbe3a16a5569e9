import { defineCommand } from '../command.ts';
import {
  folderWord,
  noindexFlag,
  outFlag,
  printFlags,
  readBuildFlags,
  reportFlag,
  safetyFlags,
  settingFlags,
  takeFolder,
  withLastFlags,
} from '../flags.ts';

/** `lectern build`: fetch → site + feed. */
export const buildCommand = defineCommand({
  positionals: folderWord,
  options: {
    ...settingFlags,
    ...outFlag,
    ...noindexFlag,
    ...safetyFlags,
    ...reportFlag,
    ...printFlags,
  },
  examples: [
    ['lectern build docs', 'Publish a folder of Markdown into dist/'],
    ['lectern build --base-url https://kb.example.com/v1', 'Publish what an API has'],
    ['lectern build --languages en,de --strict', 'Two languages; fail on warnings'],
    ['lectern build --offline', 'Render the last snapshot again'],
  ],
  epilogue:
    'Without a source, the flags of the last build or preview are used. The API key is read from the variable LECTERN_API_KEY; a ' +
    'folder needs none. Exit codes: 0 published, 1 failed (the previous output is unchanged), 2 wrong command line or configuration.',
  run: async (given) => {
    const { runBuild } = await import('../run-build.ts');
    const { rememberedServices } = await import('../remembered-service.ts');
    // Who saw a folder in the preview, and then builds, means that folder.
    const flags = await withLastFlags(takeFolder(given), (originOf) => {
      const isNamed = originOf(['source']) !== 'default' || originOf(['baseUrl']) !== 'default';
      return !isNamed && rememberedServices(process.cwd()).length === 0;
    });
    await runBuild(await readBuildFlags('build', flags));
  },
});
