import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import type { TargetName } from '../../../src/consumers/export/target.ts';
import { buildSample } from '../../feed/support/build-sample.ts';
import type { SampleSite } from '../../feed/support/sample-plan.ts';
import { recordsIn } from '../../support/feed-records.ts';
import { serve } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeOnline, npmFlags } from '../../support/tools.ts';
import { openExports } from './support/export-sample.ts';
import type { ExportFiles } from './support/platforms.ts';
import { pushSample } from './support/push-sample.ts';
import { buildSampleFeed } from './support/questions.ts';
import { fileChecks, replayProgram, vendorClients, vendorPackages } from './support/vendor-programs.ts';
import {
  type PushedTarget,
  pushedTargets,
  startVendor,
  type VendorAnswer,
  type VendorExchange,
  type VendorRequest,
  vendorKey,
} from './support/vendor-servers.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

const site = (texts: readonly string[], slug: string): SampleSite => ({
  languages: ['en', 'th'],
  articles: texts.map((text, at) => ({
    id: `article00${at}`,
    tags: ['ink', 'paper'],
    updatedAt: '2026-03-01T10:00:00Z',
    ...(at === 0 ? { slug } : {}),
    pages: {
      en: { title: `Title ${at}`, markdown: `${text}\n\n## Part\n\nWords.\n` },
      th: { title: `หมึก ${at}`, markdown: 'หมึก\n' },
    },
  })),
});

const programs = [...pushedTargets, ...Object.keys(fileChecks)];

describeOnline("the vendors' own packages (need a registry)", () => {
  let folder: string;
  let exports: ReturnType<typeof openExports>;
  /** What a push sent, with the answers of our server. */
  const pushed = new Map<PushedTarget, readonly VendorExchange[]>();
  const exported = new Map<string, ExportFiles>();
  /** Errors of the types, by program. */
  const errors = new Map<string, string[]>();

  beforeAll(async () => {
    folder = temporaryFolder();
    exports = openExports();
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, type: 'module', dependencies: vendorPackages }),
    );
    const flags = [...npmFlags, '--ignore-scripts', '--legacy-peer-deps'];
    await Promise.all([run('npm', ['install', ...flags], { cwd: folder }), writePrograms()]);
    await compile();
  });

  async function writePrograms(): Promise<void> {
    // A help centre, then one of which a URL and a text change, and an article is gone.
    const { output: sample } = await buildSampleFeed();
    const first = await buildSample(site(['One.', 'Two.', 'Poison.'], 'first'));
    const second = await buildSample(site(['One.', 'Changed.'], 'moved'), { previous: first });
    const builds = [sample, first, second];

    async function exportAll(target: TargetName): Promise<ExportFiles> {
      const all = new Map<string, string>();
      for (const [at, build] of builds.entries()) {
        // The sample is another feed than the two that follow it.
        const cursor = join(exports.folder, `${target}-${at === 0 ? 'sample' : 'site'}.json`);
        const { files } = await exports.push(target, build, { cursor, allowMassDelete: true });
        for (const [path, text] of files) all.set(`${at}/${path}`, text);
      }
      return all;
    }

    for (const target of pushedTargets) {
      const exchanges: VendorExchange[] = [];
      for (const [name, feeds] of Object.entries({ sample: [sample], site: [first, second] })) {
        const server = await startVendor(target);
        // Other platforms refuse a request with such an item; OpenAI accepts it and lists the failed files.
        if (target === 'openai') server.poison = 'Poison.';
        for (const build of feeds) {
          await pushSample(target, server, build, {
            cursor: join(exports.folder, `${target}-${name}.jsonl`),
          });
        }
        exchanges.push(...server.requests);
      }
      pushed.set(target, exchanges);
      const files = await exportAll(target);
      exported.set(target, files);
      await write(
        target,
        replayProgram(
          target,
          exchanges.map(({ request }) => request),
          files,
        ),
      );
    }
    for (const [name, check] of Object.entries(fileChecks)) {
      const files = name === 'opensearch' ? filesOfElasticsearch() : await exportAll(name as TargetName);
      exported.set(name, files);
      await write(name, check(files));
    }
  }

  /** The index, and the requests with deletes among them. */
  function filesOfElasticsearch(): ExportFiles {
    const requests = (pushed.get('elasticsearch') ?? []).map(({ request }) => request);
    const bulks = requests.filter(({ path }) => path.endsWith('/_bulk'));
    const index = exported.get('elasticsearch')?.get('0/index.json') ?? '';
    return new Map([
      ['0/index.json', index],
      ...bulks.map(({ text }, at) => [`${at}.ndjson`, text] as const),
    ]);
  }

  const write = (name: string, program: string) => writeFile(join(folder, `${name}.ts`), program);

  async function compile(): Promise<void> {
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2022', strict: true, noImplicitAny: false, skipLibCheck: true },
      ...{ outDir: 'build', rootDir: '.', types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    };
    const files = programs.map((name) => `${name}.ts`);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const tsc = join(root, 'node_modules/.bin/tsc');
    const { stdout } = await run(tsc, ['--pretty', 'false'], { cwd: folder, maxBuffer: 64_000_000 }).catch(
      (error: { stdout: string }) => error,
    );
    // Details of an error are indented.
    for (const error of stdout.split(/\n(?!\s)/).filter((error) => error !== '')) {
      const [, name = '', message = error] = /^([\w-]+)\.ts(\([\s\S]*)$/.exec(error) ?? [];
      errors.set(name, [...(errors.get(name) ?? []), message]);
    }
  }

  it.each(programs)('%s: the types of the vendor describe everything', (name) => {
    // Errors without a file are about all of them.
    const found = [...(errors.get('') ?? []), ...(errors.get(name) ?? [])];
    expect(found.slice(0, 10)).toEqual([]);
  });

  it.each(pushedTargets)('%s: the client of the vendor sends the same requests', async (target) => {
    const exchanges = pushed.get(target) ?? [];
    const sent = exchanges.map(({ request }) => request);
    const { headers, requests } = vendorClients[target];
    const kinds = sent.map(
      ({ method, path }) => `${method} ${path.replace(/(?<=\/)(?:file-|vsfb_)\d+/, '*')}`,
    );
    expect([...new Set(kinds)].sort()).toEqual([...requests].sort());
    const asked = await replay(
      target,
      exchanges.map(({ answer }) => answer ?? { status: 500 }),
    );
    expect(asked.map((request) => comparable(request, headers))).toEqual(
      sent.map((request) => comparable(request, headers)),
    );
  });

  it.each(pushedTargets.filter((target) => target !== 'openai'))('%s: files contain the same', (target) => {
    const bodies = (pushed.get(target) ?? []).map(({ request }) => comparable(request, []).body);
    const sent = new Set(bodies.map((body) => JSON.stringify(body)));
    for (const [path, text] of exported.get(target) ?? []) {
      if (/\/(?:updates|deletes)\//.test(path)) continue;
      const requests = path.endsWith('.jsonl') ? text.trim().split('\n') : [text];
      for (const request of requests) expect(sent, path).toContain(JSON.stringify(parseAny(request)));
    }
  });

  /** Runs a program with a server that gives these answers. @returns what it asked */
  async function replay(name: string, answers: readonly VendorAnswer[]): Promise<readonly VendorRequest[]> {
    const requests: VendorRequest[] = [];
    const { origin: url } = await serve((incoming, response) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        const url = new URL(incoming.url ?? '/', 'http://localhost');
        const { status, body } = answers[requests.length] ?? { status: 500 };
        requests.push({
          ...{ method: incoming.method ?? '', headers: incoming.headers },
          ...{ path: url.pathname, query: url.searchParams, text: Buffer.concat(parts).toString() },
        });
        const headers = { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' };
        response.writeHead(status, headers).end(incoming.method === 'HEAD' ? '' : JSON.stringify(body ?? {}));
      });
    });
    await run(process.execPath, [`build/${name}.js`, url, vendorKey], { cwd: folder });
    return requests;
  }
});

/** What has to be the same in both requests. */
function comparable({ method, path, query, headers, text }: VendorRequest, names: readonly string[]) {
  const [, boundary] = /boundary=(.+)$/.exec(headers['content-type'] ?? '') ?? [];
  return {
    ...{ method, path, query: [...query].sort() },
    headers: names.map((name) => headers[name]),
    body: boundary === undefined ? parseAny(text) : text.replaceAll(boundary, 'boundary').trim(),
  };
}

/** JSON, or lines of JSON. */
function parseAny(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return recordsIn(text);
  }
}
