import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyFeed } from '../../../src/consumers/follow/apply-feed.ts';
import type { ChangedDocument } from '../../../src/consumers/follow/feed-follower.ts';
import { writeTree } from '../../support/folder-layouts.ts';
import { runLectern } from '../../support/lectern.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A help centre of 22 articles in three languages; 13 of them link to the first. */
function articles(isHidden: boolean): Record<string, string> {
  const files: Record<string, string> = {};
  for (const suffix of ['', '.de', '.fr'])
    for (let at = 0; at < 22; at += 1) {
      const section = (name: string) =>
        `## ${name} ${at}\n\n${Array.from({ length: 12 }, (_, line) => `Step ${line} of article ${at}${suffix}: press the button and wait until the printer is ready. `).join('')}\n`;
      const link = at > 0 && at < 14 ? 'First [connect the printer](a0.md).\n\n' : '';
      const head = isHidden && at === 0 ? 'draft: true\n' : '';
      files[`kb/a${at}${suffix}.md`] =
        `---\ntitle: Article ${at}${suffix}\n${head}---\n${section('Start')}\n${link}${section('Print')}\n${section('Clean')}`;
    }
  return files;
}

describe('an article that many others link to', () => {
  let folder: string;

  beforeAll(() => {
    folder = temporaryFolder();
  });

  it('costs followers only the passages that had a link to it when it is hidden, and not the whole feed', async () => {
    const config = {
      source: { kind: 'folder', path: './kb', locales: ['de', 'fr'] },
      siteUrl: 'https://help.example.com',
    };
    const changed: ChangedDocument[] = [];
    const follow = async (isHidden: boolean) => {
      writeTree(folder, { ...articles(isHidden), 'lectern.config.json': JSON.stringify(config) });
      const built = await runLectern(['build', '--quiet'], { cwd: folder });
      expect(built.code, built.stderr).toBe(0);
      changed.length = 0;
      return applyFeed(join(folder, 'dist'), {
        cursor: join(folder, 'cursor'),
        upsert: (documents) => void changed.push(...documents),
        delete: () => {},
      });
    };
    const sizeOf = async (path: string) => (await stat(join(folder, 'dist/feed', path))).size;
    expect(await follow(false)).toMatchObject({ status: 'applied', upserted: 66 });
    const followed = await follow(true);
    expect(followed).toMatchObject({ status: 'applied', upserted: 39, deleted: 3 });
    expect(followed.bytes).toBe(await sizeOf('changes/2.jsonl'));
    const sizes = ['en', 'de', 'fr'].flatMap((tag) => [`${tag}/documents.jsonl`, `${tag}/chunks.jsonl`]);
    const whole = (await Promise.all(sizes.map(sizeOf))).reduce((sum, size) => sum + size, 0);
    expect(followed.bytes).toBeLessThan(0.7 * whole);
    expect(changed.every(({ document }) => !document.markdown.includes('/a0'))).toBe(true);
    // Each article has one passage that linked to it. Its text is without the link now.
    const embedded = changed.flatMap(({ chunks }) => chunks.filter(({ embed }) => embed));
    expect(embedded).toHaveLength(39);
    expect(embedded.every(({ chunk }) => chunk.text.includes('First connect the printer.'))).toBe(true);
  });
});
