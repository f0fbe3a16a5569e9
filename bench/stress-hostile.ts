import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hostileCorpora } from './corpus/hostile.ts';
import { corpusBaseUrl, writeSnapshot } from './corpus/write-snapshot.ts';
import { measure } from './measure.ts';
import { checkManifest } from './whole-build.ts';

/**
 * `npm run stress:hostile -- [--only NAME]`: builds knowledge bases nobody would write, and prints what each cost. A run
 * that fails, or whose feed does not match its manifest, ends the script.
 */
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const work = join(tmpdir(), 'lectern-stress-hostile');

console.log('| | wall | CPU | peak memory |\n|---|---:|---:|---:|');
for (const [name, corpus] of Object.entries(hostileCorpora)) {
  if (values.only !== undefined && values.only !== name) continue;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  await writeSnapshot(join(work, '.lectern'), corpus, 'en');
  const config = { baseUrl: corpusBaseUrl, siteUrl: 'https://help.pebblepost.example' };
  writeFileSync(join(work, 'lectern.config.json'), JSON.stringify(config));
  const args = [resolve('lib/bin.js'), 'build', '--offline', '--quiet'];
  const { wallMs, cpuMs, peakMb } = measure({ file: process.execPath, args, cwd: work });
  checkManifest(join(work, 'dist'));
  console.log(
    `| ${name} | ${(wallMs / 1000).toFixed(1)} s | ${(cpuMs / 1000).toFixed(1)} s | ${peakMb.toFixed(0)} MB |`,
  );
}
rmSync(work, { recursive: true, force: true });
