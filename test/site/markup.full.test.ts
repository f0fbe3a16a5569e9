import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyNth } from '../support/properties.ts';
import { describeWith, describeWithCorpora, javaFlags } from '../support/tools.ts';
import { buildFiles, readCorpus, type SampleBase } from './support/build-files.ts';
import { sampleBase } from './support/sample.ts';

const checker = join(
  dirname(createRequire(import.meta.url).resolve('vnu-jar/package.json')),
  'build/dist/vnu.jar',
);

/** Messages of the Nu HTML checker about every page of a site. */
async function checkPages(
  java: string,
  folder: string,
  base: SampleBase,
  look: 'help' | 'docs',
): Promise<readonly string[]> {
  const { files } = await buildFiles(base, { look, fallback: { mode: 'notice', languages: {} } });
  for (const [path, content] of files) {
    if (!path.endsWith('.html')) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
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

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-markup-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(['help', 'docs'] as const)('in the %s look', async (look) => {
    expect(await checkPages(java, join(folder, look), sampleBase, look)).toEqual([]);
  });

  describeWithCorpora('in any page', () => {
    test.each(everyNth(3, ['login-gov-help', 'opensource-guide', 'arduino-help']))('of %s', async (name) => {
      expect(await checkPages(java, join(folder, name), readCorpus(name), 'help')).toEqual([]);
    });
  });
});

describe('every page', () => {
  test('works without inline script, inline style or event handlers', async () => {
    const { files } = await buildFiles(sampleBase);
    for (const [path, html] of files) {
      if (!path.endsWith('.html')) continue;
      expect(html.toString(), path).not.toMatch(
        /<script(?![^>]*(?:src=|application\/ld\+json))|<style|\sstyle="|\son\w+="/,
      );
    }
  });
});
