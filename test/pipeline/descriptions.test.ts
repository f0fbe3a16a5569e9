import { expect, test } from 'vitest';
import { createOfflineProject } from '../support/offline-project.ts';
import { readTree } from '../support/read-tree.ts';

test('the description of a page skips a first paragraph that three articles share', async () => {
  const project = createOfflineProject();
  const shared = '<p>This article is about the <b>desktop</b> app &amp; its settings.</p>';
  const bodies = [
    `${shared}<p>Open the menu.</p>`,
    `${shared}<p>Close the window.</p>`,
    shared,
    '<p>Something else entirely.</p>',
  ];
  await project.write(
    bodies.map((body, at) => ({
      id: `article00${at}`,
      categoryId: null,
      texts: { en: { title: `Title ${at}`, body } },
    })),
    [],
  );
  await project.build({ siteUrl: 'https://help.example.com' });
  const files = await readTree(project.out);
  const descriptions = [...files]
    .filter(([path]) => /^en\/article\/.*\.html$/.test(path))
    .sort()
    .map(([, html]) => /<meta name="description" content="([^"]*)"/.exec(html.toString())?.[1]);
  expect(descriptions).toEqual([
    'Open the menu.',
    'Close the window.',
    'This article is about the desktop app &amp; its settings.',
    'Something else entirely.',
  ]);
});
