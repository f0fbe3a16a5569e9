import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPushState } from '../../../src/consumers/export/push/push-state.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-push-state-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('forgets an upload that the platform could not use, also after a kill', async () => {
  const before = await openPushState(folder);
  before.ids.upload('passage', 'file_1');
  before.ids.drop('passage');
  before.release();

  const after = await openPushState(folder);
  expect(after.ids.uploaded('passage')).toBeUndefined();
  expect(after.ids.unused()).toEqual(['file_1']);
  // The next push does not store a file that it is about to delete.
  after.ids.store('passage');
  expect(after.ids.stored('passage')).toBeUndefined();
  after.release();
});
