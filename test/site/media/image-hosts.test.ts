import { beforeEach, describe, expect, it } from 'vitest';
import type { UserConfig } from '../../../src/core/config/schema.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../../support/offline-project.ts';
import { image } from './publish-bodies.ts';

let project: OfflineProject;

beforeEach(() => {
  project = createOfflineProject();
});

/** An article with these images in English and, the first of them, in German. */
function withImages(id: string, ...addresses: readonly string[]): WrittenArticle {
  const texts = {
    en: { title: `Title of ${id}`, body: addresses.map(image).join('') },
    de: { title: `Titel von ${id}`, body: addresses.slice(0, 1).map(image).join('') },
  };
  return { id, categoryId: null, texts };
}

const articles = [
  withImages('aaaaaaaaaa', 'https://cdn.example.net/a.png', 'https://cdn.example.net/b.png'),
  withImages('bbbbbbbbbb', 'https://img.example.org:8443/c.png'),
  withImages('cccccccccc', 'https://cdn.example.net/a.png', 'https://help.example.com/own.png'),
];

async function hostProblems(config: Partial<UserConfig> = {}): Promise<readonly string[]> {
  const { problems } = await project.build(config, { pagesPerPart: 1 });
  return problems
    .filter(({ code }) => code === 'IMAGES_ELSEWHERE')
    .map(({ code, message }) => `${code}: ${message}`);
}

const elsewhere = [
  'IMAGES_ELSEWHERE: 2 images in 1 article stay on img.example.org:8443: "media": { "hosts": ["img.example.org:8443"] } copies them',
  'IMAGES_ELSEWHERE: 5 images in 2 articles stay on cdn.example.net: "media": { "hosts": ["cdn.example.net"] } copies them',
];

describe('images on other hosts', () => {
  it('are reported once per host, with a count and the setting that copies them', async () => {
    await project.write(articles, []);
    expect(await hostProblems()).toEqual(elsewhere);
  });

  it('are reported by an incremental build as by one from scratch', async () => {
    await project.write(articles, []);
    await hostProblems();
    const edited = { ...withImages('dddddddddd'), texts: { en: { title: 'Four', body: '<p>Text</p>' } } };
    await project.write([...articles, edited], []);
    expect(await hostProblems()).toEqual(elsewhere);
  });

  it('are not reported if media.hosts names them, with a port or for all ports', async () => {
    await project.write(articles, []);
    for (const host of ['img.example.org', 'img.example.org:8443']) {
      expect(await hostProblems({ media: { hosts: ['cdn.example.net', host] } })).toEqual([]);
    }
  });

  it('are not reported if only embedded images are copied', async () => {
    await project.write(articles, []);
    expect(await hostProblems({ media: { mode: 'inline', hosts: ['cdn.example.net'] } })).toEqual([]);
  });
});
