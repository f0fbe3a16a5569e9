import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generateSigningKey } from '../../src/feed/signature.ts';
import { createOfflineProject } from '../support/offline-project.ts';
import { describeWith } from '../support/tools.ts';

describeWith('minisign', 'a signature of the feed', (minisign) => {
  it('is verified by minisign, and refused if the manifest is changed', async () => {
    const { secret, publicKey } = generateSigningKey();
    const project = await createOfflineProject();
    await project.write(
      [{ id: 'aaaaaaaaaa', categoryId: null, texts: { en: { title: 'A', body: '<p>B</p>' } } }],
      [],
    );
    await project.build({}, { signingKey: secret });
    const manifest = join(project.out, 'feed/manifest.json');
    const run = () => spawnSync(minisign, ['-V', '-P', publicKey, '-m', manifest], { encoding: 'utf8' });
    const { status, stdout } = run();
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(
        /site:https:\/\/help\.example\.com feed_id:.*valid_until:2026-01-09T03:04:05\.000Z/,
      ),
    ]);
    appendFileSync(manifest, ' ');
    expect(run().status).toBe(1);
    await project.remove();
  });
});
