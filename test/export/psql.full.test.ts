import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/tools.ts';
import { openExports } from './support/export-sample.ts';
import { buildSampleFeed } from './support/questions.ts';

/** The engine tests have pgvector; here the files go through the real psql, as the docs say, and the type is a stand-in. */
describeWith('postgres', 'an export for pgvector in PostgreSQL', (postgres) => {
  let exports: Awaited<ReturnType<typeof openExports>>;
  let folder: string;
  /** PostgreSQL does not run as root; its package makes a user for it. */
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const bin = dirname(postgres);
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, {
      encoding: 'utf8',
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...owner,
    });
  const psql = (...args: readonly string[]) =>
    run(
      'psql',
      '-X',
      '-q',
      '-v',
      'ON_ERROR_STOP=1',
      '-h',
      folder,
      '-U',
      'postgres',
      '-d',
      'postgres',
      ...args,
    );

  beforeAll(async () => {
    exports = await openExports();
    folder = mkdtempSync(join(tmpdir(), 'lectern-psql-'));
    if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
    for (const path of [exports.folder, folder]) chmodSync(path, 0o755);
    run(join(bin, 'initdb'), '-D', 'data', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C');
    const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`;
    run(join(bin, 'pg_ctl'), '-D', 'data', '-s', '-w', '-l', 'log', '-o', options, 'start');
    psql('-c', 'CREATE DOMAIN vector AS text');
  });
  afterAll(async () => {
    run(join(bin, 'pg_ctl'), '-D', 'data', '-s', '-w', '-m', 'immediate', 'stop');
    rmSync(folder, { recursive: true, force: true });
    await exports.remove();
  });

  it('is loaded by psql, twice with the same result, and what is gone is deleted', async () => {
    const { output } = await buildSampleFeed();
    const cursor = join(exports.folder, 'psql.json');
    const load = async (languages: readonly string[]) => {
      const { files, report } = await exports.run('pgvector', output, { cursor, languages });
      for (const path of report.files) {
        const file = join(folder, basename(path));
        writeFileSync(file, (files.get(path) ?? '').replace('CREATE EXTENSION IF NOT EXISTS vector;', ''));
        psql('-f', file);
        if (path.startsWith('upserts/')) psql('-c', "UPDATE help SET embedding = 'kept'", '-f', file);
      }
      return report;
    };
    const { upserts } = await load([]);
    const count = 'SELECT count(*), count(embedding), count(DISTINCT search_config) > 1 FROM help';
    expect(psql('-At', '-c', count).trim()).toBe(`${upserts}|${upserts}|t`);
    const { deletes } = await load(['de']);
    expect(psql('-At', '-c', 'SELECT count(*), min(language), max(language) FROM help').trim()).toBe(
      `${upserts - deletes}|de|de`,
    );
  });
});

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}
