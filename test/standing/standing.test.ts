import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../support/offline-project.ts';

let project: OfflineProject;
beforeEach(async () => {
  project = await createOfflineProject();
});
afterEach(() => project.remove());

const article = (id: string, title: string, body: string): WrittenArticle => ({
  id,
  categoryId: null,
  tags: [],
  texts: { en: { title, body } },
});
const others = [
  article('aaaaaaaaaa', 'Lockers', '<p>Steady words.</p>'),
  article('cccccccccc', 'Keys', '<p>Steady words.</p>'),
];
const edited = (title: string, body: string) => [...others, article('bbbbbbbbbb', title, body)];

/** Files that no run reads for another reason, and hold every article. */
const marked = ['feed/source.txt', 'en/llms-full.txt'];
const inOut = (path: string) => join(project.out, path);
/** A time that can be set again: one with a fraction of a millisecond cannot. */
const setTime = (path: string) => utimes(inOut(path), 1_700_000_000, 1_700_000_000);

/** Changes a word without a trace in size and time: only who does not read the file repeats it. */
async function mark(path: string): Promise<void> {
  const text = await readFile(inOut(path), 'utf8');
  await writeFile(inOut(path), text.replaceAll('Steady', 'Marked'));
  await setTime(path);
}

it.each([
  ['another body', edited('Doors', '<p>New words.</p>')],
  ['another title', edited('Gates', '<p>Old words.</p>')],
])('An article stands, unread, beside one with %s', async (_what, articles) => {
  await project.write(edited('Doors', '<p>Old words.</p>'), []);
  await project.build();
  for (const path of marked) await setTime(path);
  // Sees and remembers the times.
  await project.build();
  for (const path of marked) await mark(path);
  await project.write(articles, []);
  await project.build();
  for (const path of marked) expect(await readFile(inOut(path), 'utf8')).toContain('Marked words');
});
