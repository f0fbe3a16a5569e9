import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createKey } from '../../src/service/keys.ts';
import { describeWith } from '../support/tools.ts';
import { startProxy } from './support/proxy.ts';
import { callService, startTestService } from './support/service.ts';

describeWith('nginx', 'a service behind nginx, as the documentation says,', (program) => {
  it.each([
    ['limits the views of each visitor with --trust-proxy 1, whatever their headers say', 1, 404],
    ['limits the views of the whole site without it', 0, 429],
  ])('%s', async (_title, trustProxy, status) => {
    const service = await startTestService({ requestsPerMinute: 20, clock: () => 0, trustProxy });
    const { key } = await createKey(service.data, 'website', 'count');
    const baseUrl = await startProxy({
      program,
      folder: service.folder,
      services: [service.baseUrl, service.baseUrl],
      ca: service.ca ?? '',
      certFile: join(service.folder, 'kb.sqlite-tls/cert.pem'),
      keyFile: join(service.folder, 'kb.sqlite-tls/key.pem'),
    });
    const proxied = { ...service, baseUrl };
    const isUp = () => callService(proxied, '/category').then(({ status }) => status === 200);
    await expect.poll(() => isUp().catch(() => false)).toBe(true);
    const count = async (from: string, forwardedFor: string) => {
      const headers = { 'x-forwarded-for': forwardedFor };
      const call = { method: 'POST', key, from, headers };
      return (await callService(proxied, '/stats/article/aaaaaaaaaa', call)).status;
    };
    expect(await count('127.0.0.2', '198.51.100.1')).toBe(404);
    expect(await count('127.0.0.2', '198.51.100.2')).toBe(404);
    expect(await count('127.0.0.2', '198.51.100.3')).toBe(429);
    expect(await count('127.0.0.2', '198.51.100.4, 198.51.100.5')).toBe(429);
    expect(await count('127.0.0.3', '198.51.100.1')).toBe(status);
  });
});
