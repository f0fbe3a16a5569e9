import { Ajv, type AnySchema } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TargetName } from '../../src/export/target.ts';
import type { BuiltCorpus } from '../feed/support/build-corpus.ts';
import { openExports } from './support/export-sample.ts';
import { buildSampleFeed } from './support/questions.ts';

let exports: Awaited<ReturnType<typeof openExports>>;
let sample: BuiltCorpus;
beforeAll(async () => {
  exports = await openExports();
  sample = await buildSampleFeed();
});
afterAll(() => exports.remove());

const ajv = new Ajv({ strict: false });
const text = { type: 'string' };
const texts = { type: 'array', items: text };
const object = (properties: object, required = Object.keys(properties)): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** A file of an export, and what its vendor documents about it, in our words. */
interface Described {
  readonly files: RegExp;
  /** The documents of a file; absent: the file is one JSON document. */
  readonly split?: (content: string) => readonly string[];
  readonly schema: AnySchema;
}

const lines = (content: string): readonly string[] => content.split('\n').filter((line) => line !== '');

const azureFields = [
  ...['id', 'document_id', 'article_id', 'language', 'title', 'url', 'type', 'text'].map((name) => [
    name,
    text,
  ]),
  ...['category_path', 'heading_path', 'tags', 'flags'].map((name) => [name, texts]),
  [
    'updated_at',
    { type: ['string', 'null'], pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' },
  ],
  ['position', { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }],
] as const;

const azureType = {
  type: 'string',
  enum: ['Edm.String', 'Collection(Edm.String)', 'Edm.Boolean', 'Edm.Int32', 'Edm.DateTimeOffset'],
};

const published: Readonly<Partial<Record<TargetName, readonly Described[]>>> = {
  // https://docs.aws.amazon.com/bedrock/latest/userguide/kb-metadata.html: texts, numbers, booleans and lists of texts.
  bedrock: [
    {
      files: /^chunks\/.*\.txt\.metadata\.json$/,
      schema: object({
        metadataAttributes: {
          type: 'object',
          minProperties: 1,
          additionalProperties: {
            anyOf: [
              { type: 'string', minLength: 1 },
              { type: 'number' },
              { type: 'boolean' },
              { ...texts, minItems: 1 },
            ],
          },
        },
      }),
    },
    // https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html
    {
      files: /^deletes\//,
      schema: object({
        Objects: { type: 'array', minItems: 1, maxItems: 1000, items: object({ Key: text }) },
        Quiet: { type: 'boolean' },
      }),
    },
  ],
  // https://cloud.google.com/generative-ai-app-builder/docs/prepare-data: id, structData, content with type and address.
  vertex: [
    {
      files: /^documents\//,
      split: lines,
      schema: object({
        id: { type: 'string', pattern: '^[a-z0-9][a-z0-9-_]{0,127}$' },
        structData: { type: 'object' },
        content: object({
          mimeType: { enum: ['text/html', 'text/plain', 'application/pdf'] },
          uri: { type: 'string', pattern: '^gs://[a-z0-9]', maxLength: 2000 },
        }),
      }),
    },
  ],
  // https://learn.microsoft.com/rest/api/searchservice/documents: actions, and the fields of the index.
  'azure-search': [
    {
      files: /^(?:upserts|updates|deletes)\//,
      schema: object({
        value: {
          type: 'array',
          minItems: 1,
          maxItems: 1000,
          items: {
            oneOf: [
              object({
                '@search.action': { enum: ['upload', 'mergeOrUpload'] },
                ...Object.fromEntries(azureFields),
              }),
              object({ '@search.action': { const: 'delete' }, id: text }),
            ],
          },
        },
      }),
    },
    // https://learn.microsoft.com/rest/api/searchservice/indexes/create
    {
      files: /^index\.json$/,
      schema: object({
        name: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,126}[a-z0-9]$' },
        fields: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { enum: azureFields.map(([name]) => name) }, type: azureType },
            required: ['name', 'type', 'searchable', 'filterable', 'sortable', 'facetable', 'retrievable'],
          },
        },
      }),
    },
  ],
};

describe.each(Object.entries(published))('what the vendor of %s documents', (target, described) => {
  it('is true of every file', async () => {
    const { output } = sample;
    const cursor = `${exports.folder}/${target}.json`;
    const name = target as TargetName;
    const { files: first } = await exports.run(name, output, { cursor });
    const { files: second } = await exports.run(name, output, { cursor, languages: ['de'] });
    for (const { files, split = (content: string) => [content], schema } of described) {
      const validate = ajv.compile(schema);
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
