import { describe, expect, test } from 'vitest';
import { siteSettings } from '../../src/core/config/site-settings.ts';
import { fallbackFor } from '../../src/site/pages/fallback.ts';
import { createSite } from '../../src/site/pages/site.ts';
import { article } from '../support/knowledge-base.ts';
import { createOfflineProject } from '../support/offline-project.ts';
import { readTree } from '../support/read-tree.ts';
import { document, planOf } from './support/fixture.ts';
import { renderPages } from './support/render-article.ts';
import { renderOthers } from './support/render-others.ts';

const plan = planOf([
  article('aaaaaaaaa1', { en: 'Hello', pt: 'Olá', es: 'Hola' }),
  article('aaaaaaaaa2', { en: 'World' }),
  article('aaaaaaaaa3', { 'pt-BR': 'Só aqui', en: 'Everywhere' }),
]);
const pattern = { kind: 'article', pattern: '{lang}/article/{id}-{slug}' } as const;

function shownFor(language: string, chain: readonly string[] = [], id = 'aaaaaaaaa1'): string | undefined {
  const planned = plan.articles.get(id);
  if (planned === undefined) throw new Error('no such article');
  const { fallback } = siteSettings.parse({ fallback: { languages: { [language]: { chain } } } });
  return fallbackFor(plan, fallback, pattern, planned, language)?.shown.language;
}

describe('the language shown instead of a missing translation', () => {
  test('is empty if the translation exists', () => {
    expect(shownFor('pt')).toBeUndefined();
  });

  test('is the tag without its region if that exists', () => {
    expect(shownFor('pt-BR')).toBe('pt');
  });

  test('is the first of the configured chain that exists', () => {
    expect(shownFor('gl', ['fr', 'es', 'pt'])).toBe('es');
  });

  test('is the source language in the end', () => {
    expect(shownFor('ja', ['fr'])).toBe('en');
  });
});

async function filesFor(mode: 'omit' | 'notice' | 'redirect'): Promise<ReadonlyMap<string, string>> {
  const settings = siteSettings.parse({ fallback: { languages: { pt: { mode } } } });
  const site = await createSite(plan, settings, {
    templatesFolder: null,
    iframeHosts: [],
  });
  const files = new Map<string, string>();
  for (const { id, pages } of plan.articles.values()) {
    for (const language of pages.keys()) {
      const body = document(`<p>Body of ${id} in ${language}</p>`);
      for (const file of renderPages(site, id, language, body)) {
        expect(files.has(file.path)).toBe(false);
        files.set(file.path, file.content.toString());
      }
    }
  }
  for await (const file of renderOthers(site)) files.set(file.path, file.content.toString());
  return files;
}

const missing = 'pt/article/aaaaaaaaa2-world/index.html';

describe('an article without a translation', () => {
  test('has no page in mode omit, and listings link to the other language', async () => {
    const files = await filesFor('omit');
    expect(files.has(missing)).toBe(false);
    expect(files.get('pt/index.html')).toContain('href="/docs/en/article/aaaaaaaaa2-world/" lang="en"');
  });

  test('has a page with a notice in mode notice, whose canonical is the page it shows', async () => {
    const page = (await filesFor('notice')).get(missing) ?? '';
    expect(page).toContain('<html lang="pt"');
    expect(page).toContain('Este artigo ainda não foi traduzido');
    expect(page).toContain('inglês');
    expect(page).toMatch(/<div class="prose" lang="en" dir="ltr"[^>]*>\n<p>Body of aaaaaaaaa2 in en/);
    expect(page).toContain('<meta name="robots" content="noindex">');
    expect(page).toContain(
      'rel="canonical" href="https://help.example.com/docs/en/article/aaaaaaaaa2-world/"',
    );
  });

  test('is not in sitemaps, alternates or search files of the other language', async () => {
    const files = await filesFor('notice');
    const lists = [...files].filter(([path]) => /sitemap|\/search\/|\.atom$/.test(path));
    expect(lists.map(([, content]) => content).join()).toContain('en/article/aaaaaaaaa2');
    for (const [path, content] of lists) expect(content, path).not.toContain('pt/article/aaaaaaaaa2');
    expect(files.get('en/article/aaaaaaaaa2-world/index.html')).not.toContain('hreflang="pt">\n');
  });

  test('can be reached from the language switcher in mode notice', async () => {
    const english = (await filesFor('notice')).get('en/article/aaaaaaaaa2-world/index.html');
    expect(english).toContain('<a href="/docs/pt/article/aaaaaaaaa2-world/" lang="pt"');
  });

  test('is published beside another of the same title, in every mode and in a whole build', async () => {
    const project = createOfflineProject();
    const text = (title: string, slug: string) => ({ title, slug, body: '<p>x</p>' });
    await project.write(
      [
        { id: 'aaaaaaaaaa', categoryId: null, texts: { en: text('Same', 'one') } },
        { id: 'bbbbbbbbbb', categoryId: null, texts: { en: text('Same', 'two') } },
        {
          id: 'cccccccccc',
          categoryId: null,
          texts: { en: text('Third', 'three'), de: text('Dritter', 'drei') },
        },
      ],
      [],
    );
    for (const mode of ['notice', 'redirect'] as const) {
      const report = await project.build({
        urls: { article: '{lang}/{slug}', category: '{lang}/category/{id}' },
        site: { fallback: { mode } },
      });
      expect(report.problems.map(({ code }) => code)).toContain('ADDRESS_TAKEN');
      const paths = [...(await readTree(project.out)).keys()];
      expect(paths).toContain('de/same/index.html');
      expect(paths).toContain('de/same-bbbbbbbbbb/index.html');
    }
  });

  test('leads on to the other language in mode redirect', async () => {
    const page = (await filesFor('redirect')).get(missing);
    expect(page).toContain('http-equiv="refresh" content="0; url=/docs/en/article/aaaaaaaaa2-world/"');
    expect(page).toContain(
      'rel="canonical" href="https://help.example.com/docs/en/article/aaaaaaaaa2-world/"',
    );
  });
});

test('a notice names the language of a private-use tag', async () => {
  const plan = planOf([
    article('aaaaaaaaa1', { en: 'Hello', 'de-x-team': 'Hallo' }),
    article('aaaaaaaaa2', { en: 'World', pt: 'Mundo' }),
  ]);
  const settings = siteSettings.parse({
    fallback: { languages: { pt: { mode: 'notice', chain: ['de-x-team'] } } },
  });
  const site = await createSite(plan, settings, {
    templatesFolder: null,
    iframeHosts: [],
  });
  const pages = renderPages(site, 'aaaaaaaaa1', 'de-x-team', document('<p>Hallo</p>'));
  const shown = pages.find(({ path }) => path.startsWith('pt/'))?.content.toString();
  expect(shown).toContain('alemão');
});
