import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Ajv2020 as Ajv, type AnySchema } from 'ajv/dist/2020.js';
import parserStream from 'stream-chain/jsonl/parserStream.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { configSchema } from '../../src/core/config/schema.ts';
import { openFeed } from '../../src/feed/read/open-feed.ts';
import { verifyFeed } from '../../src/feed/verify/verify-feed.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { buildSample } from './support/build-sample.ts';
import { findText, type MemoryOutput } from './support/memory-output.ts';
import type { SampleSite } from './support/sample-plan.ts';

const site = (...titles: readonly string[]): SampleSite => ({
  languages: ['en', 'de'],
  articles: titles.map((title, at) => ({
    id: `article00${at}`,
    pages: {
      en: { title, markdown: `${title} in English.\n` },
      ...(at === 0 ? { de: { title: `${title} auf Deutsch`, markdown: 'Auf Deutsch.\n' } } : {}),
    },
  })),
});

const readConfig = async () => configSchema.parse({});

describe('consumers that know nothing but what is published', () => {
  let published: MemoryOutput;
  let address: string;
  let folder: string;

  beforeAll(async () => {
    const { origin } = await serve((request, response) => {
      const path = decodeURIComponent(request.url ?? '').slice('/help/'.length);
      const text = findText(published, path);
      if (text === null) response.writeHead(404).end();
      else response.end(text);
    });
    address = `${origin}/help/`;
    folder = temporaryFolder();
  });

  it('load every line with another JSON Lines reader', async () => {
    published = await buildSample(site('A\u2028B', 'C'));
    const response = await fetch(new URL('feed/en/chunks.jsonl', address));
    const stream = Readable.from([Buffer.from(await response.arrayBuffer())]).pipe(parserStream());
    const passages: unknown[] = [];
    for await (const { value } of stream as AsyncIterable<{ value: { id: string; text: string } }>) {
      passages.push([value.id.slice(0, 15), value.text]);
    }
    expect(passages).toEqual([
      ['a-article000-en', 'A\u2028B\n\nA B in English.'],
      ['a-article001-en', 'C\n\nC in English.'],
    ]);
  });

  it('validate every record against the published JSON Schemas', async () => {
    const others = ['B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'];
    published = await buildSample(site('A', ...others, 'J'));
    published = await buildSample(site('A, edited', ...others), { previous: published });
    const validate = async (schema: string, path: string, isLines: boolean) => {
      const check = new Ajv({ validateFormats: false }).compile(await readSchema(schema));
      const text = published.text(path).trim();
      const records = isLines ? text.split('\n') : [text];
      for (const record of records) {
        expect(check(JSON.parse(record)), `${path}: ${JSON.stringify(check.errors)}`).toBe(true);
      }
      expect(check({ schema: 1, id: null })).toBe(false);
      return records.length;
    };
    const readSchema = async (name: string) =>
      JSON.parse(
        await readFile(join(import.meta.dirname, `../../docs/schema/feed/${name}.json`), 'utf8'),
      ) as AnySchema;
    expect([
      await validate('manifest', 'feed/manifest.json', false),
      await validate('source', 'feed/en/source.json', false),
      await validate('chunk', 'feed/de/chunks.jsonl', true),
      await validate('change', 'feed/changes/2.jsonl', true),
      await validate('document', 'feed/en/documents.jsonl', true),
    ]).toEqual([1, 1, 1, 3, 9]);
  });

  it('verify the published feed over HTTP', async () => {
    published = await buildSample(site('A', 'B'));
    for (const place of [address, `${address}feed/manifest.json`, address.slice(0, -1)]) {
      const reader = await openFeed(place, readConfig, folder);
      const { documents, findings } = await verifyFeed(reader.read);
      await reader.close();
      expect([documents, findings]).toEqual([3, []]);
    }
  });

  it('report that the address of a feed must be https', async () => {
    await expect(openFeed('http://help.example.com/', readConfig, folder)).rejects.toMatchObject({
      code: 'USAGE',
      message: 'http://help.example.com/ is not an https URL',
    });
  });
});
