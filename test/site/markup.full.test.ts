import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeTree } from '../support/folder-layouts.ts';
import { everyNth } from '../support/properties.ts';
import { publishCorpus } from '../support/publish-corpus.ts';
import { type PublishedSite, publishSite } from '../support/publish-site.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith, describeWithCorpora, javaFlags } from '../support/tools.ts';
import { sampleRecords } from './support/sample.ts';

const checker = join(
  dirname(createRequire(import.meta.url).resolve('vnu-jar/package.json')),
  'build/dist/vnu.jar',
);

/** Messages of the Nu HTML checker about every page of a site. */
async function checkPages(
  java: string,
  folder: string,
  { files }: PublishedSite,
): Promise<readonly string[]> {
  writeTree(folder, Object.fromEntries([...files].filter(([path]) => path.endsWith('.html'))));
  const nu = ['-jar', checker, '--errors-only', '--format', 'json', '--skip-non-html'];
  const args = [...javaFlags, ...nu, folder];
  const output = await new Promise<string>((resolve) => {
    execFile(java, args, { maxBuffer: 1 << 28 }, (_error, _stdout, stderr) => resolve(stderr));
  });
  const { messages } = JSON.parse(output) as {
    readonly messages: readonly {
      readonly url: string;
      readonly message: string;
      readonly extract?: string;
    }[];
  };
  return messages.map(({ url, message, extract }) => `${url.slice(-80)}: ${message} ${extract ?? ''}`);
}

describeWith('java', 'the Nu HTML checker finds no error', (java) => {
  let folder: string;

  beforeAll(() => {
    folder = temporaryFolder();
  });

  test.each(['help', 'docs'] as const)('in the %s look', async (look) => {
    const site = await publishSite(sampleRecords, { site: { look, fallback: { mode: 'notice' } } });
    expect(await checkPages(java, join(folder, look), site)).toEqual([]);
  });

  describeWithCorpora('in any page', () => {
    test.each(everyNth(3, ['login-gov-help', 'opensource-guide', 'arduino-help']))('of %s', async (name) => {
      const site = await publishCorpus(name, { site: { fallback: { mode: 'notice' } } });
      expect(await checkPages(java, join(folder, name), site)).toEqual([]);
    });
  });
});

describe('every page', () => {
  test('works without inline script, inline style or event handlers', async () => {
    const { files } = await publishSite(sampleRecords);
    for (const [path, html] of files) {
      if (!path.endsWith('.html')) continue;
      expect(html.toString(), path).not.toMatch(
        /<script(?![^>]*(?:src=|application\/ld\+json))|<style|\sstyle="|\son\w+="/,
      );
    }
  });
});
