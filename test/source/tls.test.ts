import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { trustedCertificates } from '../../src/core/net/trusted-certificates.ts';
import { makeTestCertificate, type TestCertificateOptions } from '../support/certificate.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { errorOf, openHttp } from './support/open-http.ts';
import { sendJson, startServer } from './support/test-server.ts';

async function serveWith(options: TestCertificateOptions) {
  const server = await startServer(
    (_request, response) => sendJson(response, {}),
    await makeTestCertificate(options),
  );
  onTestFinished(server.close);
  return server;
}

describe('a server certificate', () => {
  test('of a trusted authority, in its time and for the right name is accepted', async () => {
    expect(await openHttp(await serveWith({})).get()).toEqual({});
  });

  test('that has expired is refused', async () => {
    const { get } = openHttp(await serveWith({ fromDay: -20, toDay: -10 }));
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "TLS_FAILED",
        "hint": "ask the operator to renew it, and check the clock of this machine",
        "message": "GET https://localhost:PORT/v1/article: the server's certificate has expired (CERT_HAS_EXPIRED)",
      }
    `);
  });

  test('that is not valid yet is refused', async () => {
    const { get } = openHttp(await serveWith({ fromDay: 2, toDay: 10 }));
    expect((await errorOf(get())).code).toBe('TLS_FAILED');
  });

  test('for another name is refused', async () => {
    const { get } = openHttp(await serveWith({ names: ['other.example'] }));
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "TLS_FAILED",
        "hint": "use the name of the certificate in the base URL",
        "message": "GET https://localhost:PORT/v1/article: the server's certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID)",
      }
    `);
  });

  test('of an unknown authority is refused, at the first attempt', async () => {
    const server = await serveWith({});
    const { get, waits } = openHttp({ baseUrl: server.baseUrl, ca: (await makeTestCertificate()).ca });
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "TLS_FAILED",
        "hint": "if the server uses a private certificate authority, set tls.ca or NODE_EXTRA_CA_CERTS to its PEM file",
        "message": "GET https://localhost:PORT/v1/article: the server's certificate was issued by an authority that this machine does not trust (UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
      }
    `);
    expect(waits).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  test('is reported missing if the server speaks plain http', async () => {
    const { origin } = await serve((_request, response) => response.end());
    const baseUrl = `${origin.replace('http:', 'https:')}/v1`;
    const { get } = openHttp({ baseUrl, ca: (await makeTestCertificate()).ca });
    expect((await errorOf(get())).code).toBe('TLS_FAILED');
  });
});

describe('a host that cannot be reached', () => {
  test('because nothing listens is tried five times', async () => {
    const server = await serveWith({});
    await server.close();
    const { get, waits } = openHttp(server);
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "CONNECTION_FAILED",
        "hint": "check that the server runs and that the base URL has the right host and port",
        "message": "GET https://localhost:PORT/v1/article: no connection could be made (ECONNREFUSED) (5 attempts)",
      }
    `);
    expect(waits).toHaveLength(4);
  });
});

describe('trusted certificates', () => {
  test('are those of Node if none is configured', async () => {
    expect(await trustedCertificates({}, '.')).toBeNull();
  });

  test('are those of Node, of NODE_EXTRA_CA_CERTS and the configured one', async () => {
    const folder = temporaryFolder();
    const [own, extra] = await Promise.all([makeTestCertificate(), makeTestCertificate()]);
    // Windows editors write a byte order mark; comments are in any encoding.
    await writeFile(join(folder, 'own.pem'), `\ufeff${own.ca}`);
    await writeFile(join(folder, 'extra.pem'), extra.ca);
    const trusted = await trustedCertificates({ ca: 'own.pem' }, folder, join(folder, 'extra.pem'));
    expect(trusted).toEqual([...rootCertificates, own.ca, extra.ca]);
  });

  test.each(['missing.pem', 'no-certificate.pem'])('cannot come from %s', async (name) => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'no-certificate.pem'), 'hello');
    await expect(trustedCertificates({ ca: name }, folder)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      exitCode: 2,
    });
  });
});
