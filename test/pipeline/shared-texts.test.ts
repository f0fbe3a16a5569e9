import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { ChunkRecord, DocumentRecord } from '../../src/feed/records/record-schemas.ts';
import { recordsIn } from '../support/feed-records.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../support/offline-project.ts';

let project: OfflineProject;
let clean: OfflineProject;
beforeEach(() => {
  project = createOfflineProject();
  clean = createOfflineProject();
});

const callout = '<div class="callout callout-info">This article is about the Pebblepost app.</div>';
const shared = 'This article is about the Pebblepost app.';

/** Articles that are alone in their parts; the first ones begin with the call-out, or have its words as description. */
const articles = (count: number, described = count): readonly WrittenArticle[] =>
  ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'eeeeeeeeee'].map((id, at) => {
    const body = `${at < count ? callout : ''}<p>About ${id}. ${'Steady words. '.repeat(60)}</p>`;
    const description = at < described ? shared : `About ${id}`;
    return { id, categoryId: null, texts: { en: { title: id, description, body } } };
  });

async function buildIn(target: OfflineProject, count: number, described = count) {
  await target.write(articles(count, described), []);
  const report = await target.build({}, { pagesPerPart: 1 });
  const text = async (path: string) => readFile(join(target.out, path), 'utf8');
  const [documents, chunks, llms] = [
    await text('feed/en/documents.jsonl'),
    await text('feed/en/chunks.jsonl'),
    await text('llms.txt'),
  ];
  return { renderedPages: report.renderedPages, documents, chunks, llms };
}

it('leaves a call-out out of the passages and drops a description once three of four articles have them, also in articles that were not edited', async () => {
  const two = await buildIn(project, 2);
  const withCallout = (lines: string) =>
    recordsIn<ChunkRecord>(lines).filter(({ text }) => text.includes(shared)).length;
  expect(withCallout(two.chunks)).toBe(2);
  const describedOf = (text: string) =>
    recordsIn<DocumentRecord>(text).flatMap(({ description = '' }) =>
      description === shared ? [description] : [],
    );
  expect(describedOf(two.documents)).toHaveLength(2);

  const three = await buildIn(project, 3);
  expect(withCallout(three.chunks)).toBe(0);
  expect(
    recordsIn<DocumentRecord>(three.documents).filter(({ markdown }) => markdown.includes(shared)),
  ).toHaveLength(3);
  // It describes none of them: their first words do.
  expect(describedOf(three.documents)).toEqual([]);
  expect(three.llms).toContain('About aaaaaaaaaa.');
  expect(await buildIn(clean, 3)).toMatchObject({
    documents: three.documents,
    chunks: three.chunks,
    llms: three.llms,
  });

  const again = await buildIn(project, 2);
  expect({ ...again, renderedPages: 0 }).toEqual({ ...two, renderedPages: 0 });
});

it('does not render articles again that have none of the common texts', async () => {
  await buildIn(project, 2, 0);
  expect((await buildIn(project, 3, 0)).renderedPages).toBe(3);
});
