import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { createOfflineProject, type OfflineProject, type WrittenText } from '../support/offline-project.ts';

const apiKey = 'Zq7-secret&key-of-1-run';
let project: OfflineProject;

beforeEach(() => {
  project = createOfflineProject();
});

const article = (id: string, en: Partial<WrittenText>, de?: Partial<WrittenText>) => ({
  id,
  categoryId: null,
  texts: {
    en: { title: 'Title', body: '<p>Text.</p>', ...en },
    ...(de === undefined ? {} : { de: { title: 'Titel', body: '<p>Text.</p>', ...de } }),
  },
});

const failureOf = (run: Promise<unknown>): Promise<unknown> => run.catch((error: unknown) => error);

describe('the API key of the run in an article', () => {
  it.each([
    ['the text', { body: `<p>Send ${apiKey.replace('&', '&amp;')} along.</p>` }],
    ['an address', { body: `<a href="https://kb.example.com/?api_key=${apiKey}">API</a>` }],
    ['the title', { title: `Key ${apiKey}` }],
    ['the description', { description: `With ${apiKey}` }],
  ])('stops the run and is not printed, in %s', async (_, en) => {
    await project.write([article('aaaaaaaaaa', {}), article('bbbbbbbbbb', en)], []);
    const failure = await failureOf(project.build({}, { apiKey }));
    expect(failure).toMatchObject({
      code: 'SECRET_FOUND',
      message: 'articles contain the API key of this run: bbbbbbbbbb (en)',
    });
    expect(JSON.stringify(failure)).not.toContain('secret');
    expect(existsSync(project.out)).toBe(false);
  });

  it('stops the run in a category, too', async () => {
    const translations = [{ language: 'en', title: `About ${apiKey}`, slug: null, description: null }];
    const category = { id: 'cccccccccc', parentId: null, icon: null, updatedAt: null, translations };
    await project.write([article('aaaaaaaaaa', {})], [category]);
    expect(await failureOf(project.build({}, { apiKey }))).toMatchObject({
      message: 'articles contain the API key of this run: category cccccccccc (en)',
    });
  });

  it('stops the run although another run, without that key, published the article before', async () => {
    await project.write([article('aaaaaaaaaa', {}), article('bbbbbbbbbb', { body: `<p>${apiKey}</p>` })], []);
    await project.build();
    await project.write(
      [
        article('aaaaaaaaaa', {}),
        article('bbbbbbbbbb', { body: `<p>${apiKey}</p>` }),
        article('cccccccccc', {}),
      ],
      [],
    );
    expect(await failureOf(project.build({}, { apiKey }))).toMatchObject({ code: 'SECRET_FOUND' });
  });

  it('is not searched for in languages that are not published', async () => {
    await project.write([article('aaaaaaaaaa', {}, { title: apiKey, body: `<p>${apiKey}</p>` })], []);
    expect((await project.build({ languages: ['en'] }, { apiKey })).articles).toBe(1);
  });

  it('is not searched for if it is a plain word', async () => {
    await project.write([article('aaaaaaaaaa', { body: '<p>Your password.</p>' })], []);
    expect((await project.build({}, { apiKey: 'password' })).articles).toBe(1);
  });
});
