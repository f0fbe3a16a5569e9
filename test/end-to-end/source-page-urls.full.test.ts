import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { startService } from '../../src/service/start-service.ts';
import { callService } from '../service/support/service.ts';
import { runLectern, startLectern } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const sample = join(import.meta.dirname, '../../sample');

interface Addressed {
  readonly language: string;
  readonly url: string;
}

it('every URL of the source page and of search leads to a page of the built site in its language', async () => {
  const folder = temporaryFolder();
  const service = await startService({ data: join(folder, 'kb.sqlite'), seed: sample });
  const env = {
    LECTERN_BASE_URL: service.baseUrl,
    LECTERN_API_KEY: service.apiKey,
    NODE_EXTRA_CA_CERTS: service.caFile ?? '',
  };
  const built = await runLectern(['build', '--quiet'], { cwd: folder, env });
  expect([built.code, built.stderr]).toEqual([0, '']);
  const { articles: sources } = (await callService(service, '/article?format=list')).json;
  const { articles: hits } = (await callService(service, '/search?query=paket&limit=100&language_code=de'))
    .json;
  await service.close();
  const found: Addressed[] = [
    ...sources,
    ...hits.map((hit: { language_code: string; url: string }) => ({ ...hit, language: hit.language_code })),
  ];
  expect(new Set(found.map(({ language }) => language)).size).toBeGreaterThan(1);
  expect(hits.length).toBeGreaterThan(0);

  const preview = startLectern(['preview', '--port', '0'], { cwd: folder });
  onTestFinished(() => void preview.kill('SIGTERM'));
  let site = '';
  for await (const line of createInterface({ input: preview.stdout ?? process.stdin })) {
    site = line;
    break;
  }
  const dead: string[] = [];
  for (const { language, url } of found) {
    const response = await fetch(new URL(url, site));
    const text = await response.text();
    if (response.status !== 200 || !text.includes(`<html lang="${language}"`))
      dead.push(`${response.status} ${url}`);
  }
  expect(dead).toEqual([]);
});
