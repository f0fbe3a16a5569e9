import { Ajv, type AnySchema } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TargetName } from '../../../src/consumers/export/target.ts';
import type { BuiltCorpus } from '../../feed/support/build-corpus.ts';
import { openExports } from './support/export-sample.ts';
import type { ExportFiles } from './support/platforms.ts';
import { buildSampleFeed } from './support/questions.ts';

let exports: Awaited<ReturnType<typeof openExports>>;
let sample: BuiltCorpus;
beforeAll(async () => {
  exports = await openExports();
  sample = await buildSampleFeed();
});
afterAll(() => exports.remove());

const ajv = new Ajv({ strict: false });
const objectOf = (properties: object): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const listOf = (items: object): object => ({ type: 'array', minItems: 1, maxItems: 1000, items });

/** Files of an export, and what their vendor documents about the values in them. */
interface Described {
  readonly files: RegExp;
  /** The documents of a file; absent: the file is one JSON document. */
  readonly split?: (content: string) => readonly string[];
  readonly schema: (files: ExportFiles) => AnySchema;
}

/** Types of fields in an index of Azure. */
const edm: Readonly<Record<string, object>> = {
  'Edm.String': { type: 'string' },
  'Collection(Edm.String)': { type: 'array', items: { type: 'string' } },
  'Edm.DateTimeOffset': {
    type: ['string', 'null'],
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$',
  },
  'Edm.Int32': { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
};

/** Limits and patterns. Names and types of the fields are in the vendors' packages: `vendor-clients.nightly.test.ts`. */
const documented: Readonly<Partial<Record<TargetName, readonly Described[]>>> = {
  bedrock: [
    // https://docs.aws.amazon.com/bedrock/latest/userguide/kb-metadata.html: nothing is empty.
    {
      files: /^chunks\/.*\.txt\.metadata\.json$/,
      schema: () =>
        objectOf({
          metadataAttributes: { minProperties: 1, additionalProperties: { minLength: 1, minItems: 1 } },
        }),
    },
    // https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html
    { files: /^deletes\//, schema: () => objectOf({ Objects: listOf({}) }) },
  ],
  // https://cloud.google.com/generative-ai-app-builder/docs/prepare-data
  vertex: [
    {
      files: /^documents\//,
      split: (content) => content.split('\n').filter((line) => line !== ''),
      schema: () =>
        objectOf({
          id: { pattern: '^[a-z0-9][a-z0-9-_]{0,127}$' },
          content: objectOf({
            mimeType: { enum: ['text/html', 'text/plain', 'application/pdf'] },
            uri: { pattern: '^gs://[a-z0-9]', maxLength: 2000 },
          }),
        }),
    },
  ],
  'azure-search': [
    // https://learn.microsoft.com/rest/api/searchservice/documents: a document has the fields of the index.
    {
      files: /^(?:upserts|updates|deletes)\//,
      schema(files) {
        const { fields } = JSON.parse(files.get('index.json') ?? '') as {
          fields: readonly { readonly name: string; readonly type: string }[];
        };
        const types = Object.fromEntries(fields.map(({ name, type }) => [name, edm[type] ?? false]));
        const action = (names: readonly string[], properties: object): object => ({
          ...objectOf({ '@search.action': { enum: names }, ...properties }),
          additionalProperties: false,
        });
        return objectOf({
          value: listOf({
            oneOf: [action(['upload', 'mergeOrUpload'], types), action(['delete'], { id: types.id })],
          }),
        });
      },
    },
    // https://learn.microsoft.com/rest/api/searchservice/naming-rules
    {
      files: /^index\.json$/,
      schema: () => objectOf({ name: { pattern: '^[a-z0-9][a-z0-9-]{0,126}[a-z0-9]$' } }),
    },
  ],
};

describe.each(Object.entries(documented))('what the vendor of %s documents', (target, described) => {
  it('is true of every file', async () => {
    const { output } = sample;
    const cursor = `${exports.folder}/${target}.json`;
    const name = target as TargetName;
    const { files: first } = await exports.run(name, output, { cursor });
    const { files: second } = await exports.run(name, output, { cursor, languages: ['de'] });
    for (const { files, split = (content: string) => [content], schema } of described) {
      const validate = ajv.compile(schema(first));
      const found = [...first, ...second].filter(([path]) => files.test(path));
      expect(found.length, String(files)).toBeGreaterThan(0);
      for (const [path, content] of found) {
        for (const part of split(content)) {
          validate(JSON.parse(part));
          expect({ path, errors: validate.errors }).toEqual({ path, errors: null });
        }
      }
    }
  });
});
