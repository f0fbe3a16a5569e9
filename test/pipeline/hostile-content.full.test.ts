import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Category } from '../../src/core/model.ts';
import { plainText } from '../../src/source/normalise/fields.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';
import { readTree } from '../support/read-tree.ts';

let project: OfflineProject;
beforeEach(() => {
  project = createOfflineProject();
});

const idOf = (letter: string, index: number): string => `${letter}${String(index).padStart(9, '0')}`;

/** Every file the manifest of the feed names. */
async function feedFiles(): Promise<readonly string[]> {
  const manifest = JSON.parse(await readFile(join(project.out, 'feed/manifest.json'), 'utf8')) as {
    readonly files: readonly { readonly path: string }[];
  };
  return manifest.files.map(({ path }) => path);
}

describe('pathological content', () => {
  it('is published when every title and body contains a control character, and no page or path contains one', async () => {
    const articles = Array.from({ length: 0xa0 }, (_, index) => ({
      id: idOf('a', index),
      categoryId: null,
      texts: {
        en: {
          title: plainText(`a${String.fromCharCode(index)}b`),
          body: `<p>x${String.fromCharCode(index)}</p>`,
        },
      },
    }));
    await project.write(articles, []);
    const report = await project.build();
    expect(report.articles).toBe(0xa0);
    const tree = await readTree(project.out);
    const isOdd = (text: string): boolean => /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text);
    const odd = [...tree].filter(
      ([path, bytes]) => isOdd(path) || (path.endsWith('.html') && isOdd(`${bytes}`)),
    );
    expect(odd.map(([path]) => path)).toEqual([]);
  });

  it('is published when categories are 500 deep', async () => {
    const categories = Array.from(
      { length: 500 },
      (_, index): Category => ({
        id: idOf('c', index),
        parentId: index === 0 ? null : idOf('c', index - 1),
        icon: null,
        updatedAt: null,
        translations: [{ language: 'en', title: `Category ${index}`, slug: null, description: null }],
      }),
    );
    const texts = { en: { title: 'Deep', body: '<p>x</p>' } };
    await project.write([{ id: 'aaaaaaaaaa', categoryId: idOf('c', 499), texts }], categories);
    const report = await project.build();
    expect(report.categories).toBe(500);
    expect(await feedFiles()).toContain('feed/en/documents.jsonl');
  });

  it('is published when one article is in very many languages', async () => {
    const tags = [
      'en',
      ...Array.from({ length: 60 }, (_, index) => `en-x-${String(index).padStart(4, '0')}`),
    ];
    const texts = Object.fromEntries(tags.map((tag) => [tag, { title: 'Everywhere', body: '<p>x</p>' }]));
    await project.write([{ id: 'aaaaaaaaaa', categoryId: null, texts }], []);
    const report = await project.build();
    expect(report.languages).toHaveLength(61);
    expect(await feedFiles()).toContain('feed/en-x-0059/documents.jsonl');
  });

  it('is published when a body is megabytes of one word, or nothing but nested elements', async () => {
    const body = (text: string) => ({ en: { title: 'Large', body: text } });
    await project.write(
      [
        { id: 'aaaaaaaaaa', categoryId: null, texts: body('x'.repeat(1_000_000)) },
        { id: 'bbbbbbbbbb', categoryId: null, texts: body('<div>'.repeat(20_000)) },
        { id: 'dddddddddd', categoryId: null, texts: body('') },
      ],
      [],
    );
    const report = await project.build();
    expect(report.articles).toBe(3);
  });
});
