import { describe, expect, it } from 'vitest';
import { listDefaults } from '../../../src/core/config/load-config.ts';
import { runReportSchema } from '../../../src/core/report.ts';
import { z } from '../../../src/core/schema.ts';
import { manifestSchema } from '../../../src/feed/read/manifest.ts';
import {
  changeRecord,
  chunkRecord,
  documentRecord,
  synonymRecord,
} from '../../../src/feed/records/record-schemas.ts';
import { sourcePage } from '../../../src/feed/source-pages.ts';
import { configJsonSchema, settingsPage } from './support/describe-config.ts';
import { readDocComments } from './support/read-doc-comments.ts';

const print = (schema: unknown) => `${JSON.stringify(schema, null, 2)}\n`;

/** Written anew by `npx vitest run test/config -u`. */
describe('the published schemas', () => {
  it('match the configuration', async () => {
    await expect(print(configJsonSchema())).toMatchFileSnapshot('../../../docs/schema/config.json');
  });

  it('match the report', async () => {
    const schema = { title: 'Report of a Lectern build', ...z.toJSONSchema(runReportSchema) };
    await expect(print(schema)).toMatchFileSnapshot('../../../docs/schema/report.json');
  });

  it.each([
    ['change', changeRecord, 'A line of feed/changes/<seq>.jsonl'],
    ['chunk', chunkRecord, 'A line of feed/<language>/chunks.jsonl'],
    ['document', documentRecord, 'A line of feed/<language>/documents.jsonl'],
    ['manifest', manifestSchema, 'feed/manifest.json'],
    ['source', sourcePage, 'feed/<language>/source.json'],
    ['synonym', synonymRecord, 'A line of feed/synonyms.jsonl'],
  ])('match a %s of the feed', async (name, schema, title) => {
    const text = print({ title, ...z.toJSONSchema(schema, { io: 'input' }) });
    await expect(text).toMatchFileSnapshot(`../../../docs/schema/feed/${name}.json`);
  });

  it('are listed in docs/settings.md', async () => {
    await expect(settingsPage(configJsonSchema())).toMatchFileSnapshot('../../../docs/settings.md');
  });

  it('describe every setting', () => {
    const comments = readDocComments();
    expect([...listDefaults().keys()].filter((path) => !comments.has(path))).toEqual([]);
  });
});
