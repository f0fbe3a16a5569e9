import type { Output } from '../output/output.ts';
import type { LastArticles, RunRest } from './last-articles.ts';

type Redirects = NonNullable<RunRest['redirects']>;

/** Stubs of pages may be as many as pages; making them again is cheaper than a list of them. */
const mostFiles = 1000;

/**
 * Keeps the files of the last run's redirects: where every page was and is follows from what articles say of each other,
 * and from the last run's files themselves. `null` where they have to be made.
 */
export async function keepRedirects(
  last: LastArticles | null,
  output: Pick<Output, 'keepAll'>,
): Promise<Redirects | null> {
  const redirects = last?.hasSameFaces ? last.rest.redirects : null;
  return redirects !== null && (await output.keepAll(redirects.files)) ? redirects : null;
}

/** What the next run may keep. What was odd about the files before these is not so any more. */
export function keepableRedirects({ files, problems }: Redirects): Redirects | null {
  if (files.length > mostFiles) return null;
  return { files, problems: problems.filter(({ code }) => code !== 'ADDRESSES_FORGOTTEN') };
}
