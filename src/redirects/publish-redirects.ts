import type { RedirectFormat, RedirectsSettings } from '../config/redirects-settings.ts';
import type { KnowledgeBase } from '../model.ts';
import type { Output } from '../output/output.ts';
import type { Plan } from '../plan/plan.ts';
import { type Problem, problem } from '../problems.ts';
import type { HeaderRule } from '../site/headers-file.ts';
import { addressBookPath, parseAddressBook, printAddressBook, updateAddressBook } from './address-book.ts';
import { configuredRules } from './configured-rules.ts';
import { writeApache } from './hosts/apache.ts';
import { writeCaddy } from './hosts/caddy.ts';
import { writeHtmlStubs } from './hosts/html-stubs.ts';
import { writeNginx } from './hosts/nginx.ts';
import { writeRedirectsFile } from './hosts/redirects-file.ts';
import { writeS3 } from './hosts/s3.ts';
import { writeVercel } from './hosts/vercel.ts';
import { movedPages } from './moved-pages.ts';
import { oldAddresses, oldRecords } from './old-addresses.ts';
import { fileKey, type HostFiles, type RedirectTable } from './redirect-table.ts';
import { settleRedirects } from './settle-redirects.ts';

export interface RedirectSources {
  readonly plan: Plan;
  readonly knowledgeBase: KnowledgeBase;
  /** Headers the site is to be served with. */
  readonly headers: readonly HeaderRule[];
  /** Reads a file of the site as it was published last; `null` when there is none. */
  readonly readPrevious: Output['readPrevious'];
}

/**
 * Writes where every page was before and, for each configured host, the redirects from there, from the old help
 * centre's addresses and of the configuration. Comes last: what was written by then is not redirected away from.
 * @returns what a person should know: conflicts, circles, limits of hosts
 */
export async function publishRedirects(
  { plan, knowledgeBase, headers, readPrevious }: RedirectSources,
  settings: RedirectsSettings,
  output: Pick<Output, 'write' | 'files'>,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const previous = await readPrevious(addressBookPath);
  const before = previous === null ? [] : parseAddressBook(previous);
  if (before === null) {
    const message = `${addressBookPath} of the previous output is damaged, so earlier addresses are forgotten`;
    problems.push(problem('ADDRESSES_FORGOTTEN', message));
  }
  const book = updateAddressBook(before ?? [], plan);
  const records = settings.oldAddresses ? oldRecords(knowledgeBase, plan) : [];
  const configured = configuredRules(settings, plan);
  const settled = settleRedirects(
    [...configured.rules, ...movedPages(book, plan), ...oldAddresses(records, plan)],
    new Set(output.files().map(({ path }) => fileKey(plan.basePath, path))),
  );
  problems.push(...configured.problems, ...settled.problems);
  await output.write(addressBookPath, printAddressBook(book));
  const table: RedirectTable = { basePath: plan.basePath, rules: settled.rules, records };
  for (const { files, limits } of hostFiles(settings.formats, table, headers)) {
    for (const { path, content } of files) await output.write(path, content);
    problems.push(...limits.map((limit) => problem('REDIRECT_LIMIT', limit)));
  }
  return problems;
}

/** Netlify and Cloudflare share a file: it is written once, for the stricter of the two. */
function hostFiles(
  formats: readonly RedirectFormat[],
  table: RedirectTable,
  headers: readonly HeaderRule[],
): readonly HostFiles[] {
  const writers: Readonly<Record<RedirectFormat, () => HostFiles>> = {
    netlify: () => writeRedirectsFile(table, false),
    cloudflare: () => writeRedirectsFile(table, true),
    vercel: () => writeVercel(table, headers),
    nginx: () => writeNginx(table, headers),
    apache: () => writeApache(table, headers),
    caddy: () => writeCaddy(table, headers),
    s3: () => writeS3(table),
    html: () => writeHtmlStubs(table),
  };
  const isShared = formats.includes('netlify') && formats.includes('cloudflare');
  return [...new Set(formats)]
    .filter((format) => !(isShared && format === 'netlify'))
    .map((format) => writers[format]());
}
