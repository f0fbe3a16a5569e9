import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readProjectFacts } from '../../../src/source/folder/project/facts.ts';
import { type Tree, writeTree } from '../../support/folder-layouts.ts';

function factsOf(files: Tree) {
  const root = mkdtempSync(join(tmpdir(), 'lectern-facts-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeTree(root, files);
  return readProjectFacts(root);
}

const all = {
  title: 'Acme Bikes',
  siteUrl: 'https://help.example.com/docs',
  logo: '/img/logo.svg',
  editBase: 'https://github.com/acme/bikes/edit/main/',
  defaultLanguage: 'en',
  languages: ['en', 'de'],
  repository: 'https://github.com/acme/bikes',
};

describe('what init reads of a project', () => {
  it('is in the configuration of Docusaurus', () => {
    const facts = factsOf({
      'docusaurus.config.ts': `const config = { title: 'Acme Bikes', url: 'https://help.example.com', baseUrl: '/docs/',
        organizationName: 'acme', projectName: 'bikes', i18n: { defaultLocale: 'en', locales: ['en', 'de'] },
        presets: [['classic', { docs: { editUrl: 'https://github.com/acme/bikes/edit/main/' } }]],
        themeConfig: { navbar: { logo: { src: 'img/logo.svg' } } } };
        export default config;`,
      'static/img/logo.svg': '<svg/>',
    });
    expect(facts).toEqual({ ...all, publicFolder: 'static' });
  });

  it('is in the configuration of Starlight, with the language of the root', () => {
    const facts = factsOf({
      'astro.config.mjs': `export default defineConfig({ site: 'https://help.example.com', base: '/docs', integrations: [starlight({
        title: { en: 'Acme Bikes' }, locales: { root: { lang: 'en' }, de: { label: 'Deutsch' } }, logo: { src: './public/img/logo.svg' },
        editLink: { baseUrl: 'https://github.com/acme/bikes/edit/main/' },
        social: [{ icon: 'github', href: 'https://github.com/acme/bikes' }] })] })`,
      'public/img/logo.svg': '<svg/>',
    });
    expect(facts).toEqual({ ...all, publicFolder: 'public' });
  });

  it('is in the configuration of VitePress, in the folder docs', () => {
    const facts = factsOf({
      'docs/.vitepress/config.ts': `export default defineConfig({ title: 'Acme Bikes', base: '/docs/', sitemap: { hostname: 'https://help.example.com' },
        locales: { root: { lang: 'en-US' }, de: {} }, themeConfig: { logo: '/img/logo.svg',
        editLink: { pattern: 'https://github.com/acme/bikes/edit/main/:path' }, socialLinks: [{ icon: 'github', link: 'https://github.com/acme/bikes.git' }] } })`,
      'docs/public/img/logo.svg': '<svg/>',
    });
    expect(facts).toEqual({ ...all, publicFolder: 'docs/public', languages: ['en', 'de'] });
  });

  it('is in mkdocs.yml, also beside tags of Python', () => {
    const facts = factsOf({
      'mkdocs.yml': `site_name: Acme Bikes
site_url: https://help.example.com/docs/
repo_url: https://github.com/acme/bikes
edit_uri: edit/main/docs/
plugins:
  - i18n:
      languages:
        - locale: en
          default: true
        - locale: de
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
`,
      'docs/index.md': '# Home',
    });
    expect(facts).toEqual({ ...all, logo: null, publicFolder: null });
  });

  it('is in hugo.toml', () => {
    const facts = factsOf({
      'hugo.toml': `title = 'Acme Bikes'\nbaseURL = 'https://help.example.com/docs/'\ndefaultContentLanguage = 'en'
[params]\nlogo = 'img/logo.svg'\ngithub_repo = 'https://github.com/acme/bikes'\n[languages.en]\n[languages.de]\n`,
      'static/img/logo.svg': '<svg/>',
      'content/a.md': '# A',
    });
    expect(facts).toEqual({ ...all, editBase: null, publicFolder: 'static' });
  });

  it('is in _config.yml', () => {
    const facts = factsOf({
      '_config.yml': `title: Acme Bikes\nurl: https://help.example.com\nbaseurl: /docs\nlang: en\nrepository: acme/bikes\n`,
    });
    expect(facts).toEqual({ ...all, logo: null, editBase: null, languages: null, publicFolder: null });
  });

  it('is nothing that only code could tell, and no address of another kind', () => {
    const facts = factsOf({
      'docusaurus.config.js': `module.exports = { title: process.env.TITLE ?? makeTitle(), url: 'javascript:alert(1)', i18n: { locales: locales() },
        themeConfig: { navbar: { logo: { src: '../secret.svg' } } } }`,
    });
    expect(facts).toEqual({
      ...{ title: null, siteUrl: null, logo: null, publicFolder: null, editBase: null },
      ...{ defaultLanguage: null, languages: null, repository: null },
    });
  });

  it('is nothing without a site generator', () => {
    expect(factsOf({ 'a.md': '# A' })).toBeNull();
  });
});
