import { parseUrl } from '../../core/addresses.ts';
import type { Forgotten } from '../../pipeline/build-options.ts';
import { defineCommand, usageError } from '../command.ts';
import { noindexFlag, outFlag, printFlags, readBuildFlags, settingFlags, withLastFlags } from '../flags.ts';

/** `lectern forget`: builds the last snapshot again, without what the histories of the output say about these articles and URLs. */
export const forgetCommand = defineCommand({
  positionals: {
    what: {
      describe: 'Ids of articles that are not public any more, and former URLs of pages',
      isList: true,
    },
  },
  options: { ...settingFlags, ...outFlag, ...noindexFlag, ...printFlags },
  examples: [
    ['lectern forget 9xk2m1p0qz', 'Erase that there was an article with this id'],
    ['lectern forget https://help.example.com/jane-doe/', 'Erase a former URL, which then is not found'],
  ],
  epilogue:
    'Needs the output and the cache of the last build, and uses its flags. Nothing is read from the source: build first, so that the ' +
    'article is not public any more. Exit codes: 0 erased, 1 failed (nothing was changed), 2 wrong command line or configuration.',
  run: async (flags) => {
    const forget = parseForgotten(flags.what);
    const { runBuild } = await import('../run-build.ts');
    const rebuilt = { ...(await withLastFlags(flags)), offline: true };
    await runBuild(await readBuildFlags('forget', rebuilt), 'site', forget);
  },
});

/** @throws USAGE (exit 2) */
function parseForgotten(what: readonly string[]): Forgotten {
  const articleIds: string[] = [];
  const paths: string[] = [];
  for (const one of what) {
    const url = /^(?:https?:\/)?\//.test(one) ? parseUrl(one, 'https://site.invalid') : null;
    if (/^[A-Za-z0-9]{10}$/.test(one)) articleIds.push(one);
    else if (url !== null) paths.push(url.pathname);
    else {
      throw usageError(
        `${JSON.stringify(one)} is neither the id of an article nor a URL`,
        'for example lectern forget 9xk2m1p0qz, or lectern forget /en/article/9xk2m1p0qz-old-name/',
      );
    }
  }
  return { articleIds, paths };
}
