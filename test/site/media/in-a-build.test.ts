import { beforeEach, describe, expect, it } from 'vitest';
import { recordsIn } from '../../support/feed-records.ts';
import { createOfflineProject, type OfflineProject } from '../../support/offline-project.ts';
import { readTree } from '../../support/read-tree.ts';
import { dataAddress, png } from './images.ts';

let project: OfflineProject;

beforeEach(async () => {
  project = createOfflineProject();
  const body = `<p>Before</p><img alt="A chart" src="${dataAddress(png(640, 480))}"><p>After</p>`;
  const texts = { en: { title: 'One', body }, de: { title: 'Eins', body } };
  await project.write([{ id: 'aaaaaaaaaa', categoryId: null, texts }], []);
});

describe('a build of articles with embedded images', () => {
  it('publishes no base64 anywhere, and each image once', async () => {
    await project.build();
    const files = await readTree(project.out);
    const withData = [...files].filter(
      ([path, content]) => !path.startsWith('assets/') && content.includes('base64'),
    );
    expect(withData.map(([path]) => path)).toEqual([]);
    expect([...files.keys()].filter((path) => path.startsWith('assets/media/'))).toHaveLength(1);
  });

  it('gives feed and Markdown the alternative text, and the page the size', async () => {
    await project.build();
    const files = await readTree(project.out);
    const [path = ''] = [...files.keys()].filter((name) => name.startsWith('assets/media/'));
    expect(String(files.get('en/article/aaaaaaaaaa-one/index.html'))).toContain(
      `src="/${path}" alt="A chart" width="640" height="480"`,
    );
    expect(String(files.get('en/article/aaaaaaaaaa-one/index.html.md'))).toContain('\n\nA chart\n\n');
    const [record] = recordsIn<{ markdown: string }>(String(files.get('feed/de/documents.jsonl')));
    expect(record?.markdown).toBe('Before\n\nA chart\n\nAfter\n');
  });
});
