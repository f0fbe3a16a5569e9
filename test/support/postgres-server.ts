import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';

/** A PostgreSQL server for tests, without a network port: it listens on a socket in its folder. */
export interface PostgresServer {
  /** Creates an empty database; returns its URL. */
  createDatabase(): Promise<string>;
  /** Creates an empty schema in a shared database, which is much faster. */
  createSchema(): Promise<string>;
  /** Runs SQL with psql and returns the rows as text, columns separated by `|`. */
  query(url: string, sql: string): string;
  /** Runs psql with further arguments; returns its output. */
  psql(url: string, ...args: readonly string[]): string;
  /** Kills it like `kill -9`: data that is not on disk is lost. */
  kill(): void;
  start(): void;
  /** Stops it cleanly, or immediately. */
  stop(): void;
  /** Stops it and removes its data. */
  remove(): void;
}

/**
 * Starts a server in a new folder. As root, it runs as the user that the PostgreSQL package creates.
 * @param program path of `postgres`
 * @param settings e.g. `-c max_connections=20`; `fsync` is off by default
 */
export function startPostgres(program: string, settings = '-c fsync=off'): PostgresServer {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-postgres-'));
  const data = join(folder, 'data');
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o755);
  const run = (name: string, ...args: readonly string[]) =>
    execFileSync(name === 'psql' ? name : join(dirname(program), name), args, {
      encoding: 'utf8',
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...owner,
    });
  const psql = (url: string, ...args: readonly string[]) =>
    run('psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', url, ...args);
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} ${settings}`;
  const start = (attempts = 50) => {
    try {
      run('pg_ctl', '-D', data, '-s', '-w', '-l', join(folder, 'log'), '-o', options, 'start');
    } catch (error) {
      // The processes of a killed server end a little later.
      if (attempts === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      start(attempts - 1);
    }
  };
  const stop = (mode: 'fast' | 'immediate') => run('pg_ctl', '-D', data, '-s', '-w', '-m', mode, 'stop');
  const urlOf = (name: string) => `postgres:///${name}?host=${folder}&user=postgres`;
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync');
  start();
  let count = 0;
  async function execute(sql: string): Promise<void> {
    const client = new pg.Client(urlOf('postgres'));
    await client.connect();
    await client.query(sql);
    await client.end();
  }
  return {
    createDatabase: async () => {
      count += 1;
      await execute(`CREATE DATABASE kb${count}`);
      return urlOf(`kb${count}`);
    },
    createSchema: async () => {
      count += 1;
      await execute(`CREATE SCHEMA kb${count}`);
      return `${urlOf('postgres')}&options=${encodeURIComponent(`-c search_path=kb${count}`)}`;
    },
    psql,
    query: (url, sql) => psql(url, '-At', '-c', sql).trim(),
    kill: () => {
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
    },
    start: () => start(),
    stop: () => void stop('fast'),
    remove: () => {
      try {
        stop('immediate');
      } catch {
        // The test already stopped or killed it.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}
