import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { freePort } from '../../support/free-port.ts';

const guide = fileURLToPath(new URL('../../../docs/service.md', import.meta.url));

/** The machine of the recipe of docs/service.md. */
interface ProxyMachine {
  /** Program of nginx. */
  readonly program: string;
  /** For its files. */
  readonly folder: string;
  /** Base URLs of the two services behind it. */
  readonly services: readonly [string, string];
  /** PEM text of the certificates to trust, and the files of the proxy's own. */
  readonly ca: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** Starts nginx as docs/service.md says, on 127.0.0.1, until the test ends. @returns its base URL, which may not answer yet */
export async function startProxy(machine: ProxyMachine): Promise<string> {
  const { program, folder, services, ca, certFile, keyFile } = machine;
  const port = await freePort();
  writeFileSync(join(folder, 'ca.pem'), ca);
  const recipe = /```nginx\n([\s\S]*?)```/.exec(readFileSync(guide, 'utf8'))?.[1] ?? '';
  const hosts = services.map((baseUrl) => new URL(baseUrl).host);
  const configuration = recipe
    .replace('10.0.0.11:8443', String(hosts[0]))
    .replace('10.0.0.12:8443', String(hosts[1]))
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('proxy_ssl_name kb.example.com', 'proxy_ssl_name localhost')
    .replace('/etc/ssl/lectern-ca.pem', join(folder, 'ca.pem'))
    .replace('/etc/ssl/kb.pem', certFile)
    .replace('/etc/ssl/kb.key', keyFile);
  for (const part of [String(port), ...hosts, folder, certFile, keyFile]) {
    if (!configuration.includes(part)) throw new Error(`the recipe has no place for ${part}`);
  }
  const child = startNginx(program, folder, configuration);
  onTestFinished(() => void child.kill('SIGTERM'));
  return `https://127.0.0.1:${port}/v1`;
}

function startNginx(program: string, folder: string, configuration: string) {
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1; daemon off; user root;
     events {} http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s; ${configuration} }`,
  );
  return spawn(program, ['-c', file, '-p', folder, '-e', join(folder, 'error.log')]);
}
