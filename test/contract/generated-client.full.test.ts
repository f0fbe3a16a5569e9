import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import createClient from 'openapi-fetch';
import generateTypes from 'openapi-typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestService } from '../service/support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

type Calls = Readonly<Record<string, () => Promise<readonly unknown[]>>>;

const root = join(import.meta.dirname, '../..');
const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as OpenApiDocument;

/** Compiled apart from the other tests, because its types are generated first. */
const callsFile = join(import.meta.dirname, 'client-calls.ts');

/** A client whose requests trust the certificate of the service. */
async function startClient() {
  const service = await startTestService();
  return createClient({
    baseUrl: service.baseUrl,
    async fetch(request: Request) {
      const body = await request.text();
      const { status, headers, text } = await service.call(request.url.slice(service.baseUrl.length), {
        method: request.method,
        headers: Object.fromEntries(request.headers),
        ...(body === '' ? {} : { body }),
      });
      const type = headers['content-type'];
      return new Response(text, { status, headers: type === undefined ? {} : { 'content-type': type } });
    },
  });
}

describe('a client generated from docs/openapi.json', () => {
  let folder: string;
  beforeAll(async () => {
    folder = temporaryFolder();
    cpSync(callsFile, join(folder, 'client-calls.ts'));
    cpSync(join(root, 'tsconfig.json'), join(folder, 'base.json'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      join(folder, 'tsconfig.json'),
      '{ "extends": "./base.json", "include": ["client-calls.ts"], "exclude": [] }',
    );
    writeFileSync(
      join(folder, 'openapi.d.ts'),
      await generateTypes(JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))),
    );
  });

  const compile = () =>
    spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', folder], {
      encoding: 'utf8',
    });

  it('compiles with one call of every operation, and not with one that is missing', () => {
    const { status, stdout } = compile();
    expect([stdout, status]).toEqual(['', 0]);
    const text = readFileSync(callsFile, 'utf8');
    writeFileSync(join(folder, 'client-calls.ts'), text.replace('readStatistics:', 'readOtherStatistics:'));
    expect(compile().stdout).toContain('readOtherStatistics');
    writeFileSync(join(folder, 'client-calls.ts'), text.replace("title: 'Bikes'", 'title: 5'));
    expect(compile().stdout).toContain("Type 'number' is not assignable to type 'string'");
  });

  it('calls every operation', async () => {
    const { makeCalls } = (await import(callsFile)) as { makeCalls: (client: unknown) => Calls };
    const calls = makeCalls(await startClient());
    for (const [operation, call] of Object.entries(calls)) {
      const [error, value, expected] = await call();
      expect([error, value], operation).toEqual([undefined, expected]);
    }
    const documented = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(Object.keys(calls).sort()).toEqual(documented.sort());
  });
});
