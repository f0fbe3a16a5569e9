import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { BuildReport } from '../../../src/core/report.ts';
import { type BrokenLink, findBrokenLinks } from '../../support/find-broken-links.ts';
import { runLectern, serveSeed } from '../../support/lectern.ts';
import { readTree } from '../../support/read-tree.ts';

const origin = 'https://help.example.com';

export interface LinksOfBuild {
  readonly broken: readonly BrokenLink[];
  readonly report: BuildReport;
}

/** Publishes a service seed with every kind of page to a folder below `parent`, and follows all links of the output. */
export async function followLinks(seed: string, parent: string): Promise<LinksOfBuild> {
  const folder = await mkdtemp(join(parent, 'site-'));
  const config = {
    siteUrl: origin,
    site: { fallback: { mode: 'notice', languages: { fr: { mode: 'redirect' } } } },
    redirects: { formats: ['html'] },
  };
  await writeFile(join(folder, 'lectern.config.json'), JSON.stringify(config));
  const service = await serveSeed(seed, folder);
  try {
    const { code, stderr } = await runLectern(['build', '--quiet', '--report', 'report.json'], {
      cwd: folder,
      env: service.env,
    });
    expect([code, stderr]).toEqual([0, '']);
  } finally {
    await service.stop();
  }
  const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as BuildReport;
  return { broken: findBrokenLinks(await readTree(join(folder, 'dist')), origin), report };
}

/** Whether the build reported this link: its article, the language of the text and the URL. */
export function isReported({ path, href, language }: BrokenLink, { problems }: BuildReport): boolean {
  // Links within a page are reported in the author's words, shortened if long.
  const shown = href.startsWith('#') ? JSON.stringify(decodeURIComponent(href)).slice(0, 99) : `${href} `;
  const id = /(?:^|\/)article\/([a-zA-Z0-9]{10})/.exec(path)?.[1];
  return problems.some(
    (problem) =>
      problem.code === 'ANCHOR_MISSING' &&
      problem.articleId === id &&
      problem.language === language &&
      problem.message.includes(` ${shown}`),
  );
}
