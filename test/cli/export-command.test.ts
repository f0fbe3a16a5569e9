import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ExportFlags, runExport } from '../../src/cli/commands/export.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});

const flags = (changes: Partial<ExportFlags>): ExportFlags => ({
  feed: folder,
  to: 'openai',
  out: join(folder, 'out'),
  cursor: undefined,
  push: false,
  'dry-run': false,
  'allow-mass-delete': false,
  collection: 'help',
  languages: undefined,
  strict: false,
  config: undefined,
  json: false,
  ...changes,
});

describe('the command line of an export', () => {
  it.each<[Partial<ExportFlags>, string]>([
    [{ to: undefined }, '--to is missing'],
    [{ out: undefined }, '--out is missing'],
    [{ push: true }, '--push writes no files'],
    [{ push: true, out: undefined }, '--push needs --cursor: a file for its state'],
    [{ push: true, out: undefined, to: 'jsonl', cursor: 'state' }, '--push does not know jsonl'],
    [{ 'dry-run': true }, '--dry-run is only used with --push'],
    [{ cursor: 'cursor.json' }, '--cursor is only used with --push'],
    [{ 'allow-mass-delete': true }, '--allow-mass-delete is only used with --push'],
    [{ collection: 'help; DROP' }, '--collection help; DROP is not a valid name on every platform'],
  ])('refuses %j before anything is read', async (changes, message) => {
    await expect(runExport(flags(changes))).rejects.toMatchObject({ code: 'USAGE', exitCode: 2, message });
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it('names a folder that is not there, and one without a feed', async () => {
    await expect(runExport(flags({ feed: join(folder, 'none') }))).rejects.toMatchObject({
      code: 'PATH_UNUSABLE',
    });
    await expect(runExport(flags({}))).rejects.toMatchObject({ code: 'FEED_INVALID' });
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });
});
