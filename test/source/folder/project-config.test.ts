import { describe, expect, it } from 'vitest';
import { hashProjectConfig, readConfigs } from '../../../src/source/folder/project/config.ts';
import { openFolderProject } from '../support/folder-source.ts';

function readConfig(files: Readonly<Record<string, string>>) {
  const [config] = readConfigs(openFolderProject(files).root);
  if (config === undefined) throw new Error('no configuration was found');
  return config;
}

describe('the configuration of Hugo', () => {
  it('is merged as Hugo merges it: the environment last, objects field by field, whatever the case', () => {
    const { all, layers } = readConfig({
      'hugo.toml': "title = 'Help'\n[params]\nversion = '1'\nlogo = 'a.svg'\n[languages.en]\nweight = 1",
      'config/_default/params.yaml': 'Version: "2"',
      'config/_default/menus.en.toml': "[[main]]\nname = 'Guides'",
      'config/_default/cascade.yaml': '- draft: true\n- toc: false',
      'config/production/cascade.yaml': '- toc: true',
      'config/production/hugo.toml': "TITLE = 'Acme Help'",
      'config/staging/hugo.toml': "title = 'Staging'",
    });
    expect(all).toEqual({
      title: 'Acme Help',
      params: { version: '2', logo: 'a.svg' },
      languages: { en: { weight: 1, menus: { main: [{ name: 'Guides' }] } } },
      cascade: [{ toc: true }],
    });
    expect(layers.map(({ file }) => file)).toEqual([
      'hugo.toml',
      'config/_default/cascade.yaml',
      'config/_default/menus.en.toml',
      'config/_default/params.yaml',
      'config/production/hugo.toml',
      'config/production/cascade.yaml',
    ]);
  });

  it('is that of the file which Hugo prefers, if there are several', () => {
    const title = (extension: string) => ({ [`config.${extension}`]: `title: ${extension}` });
    const { all } = readConfig({
      ...title('yml'),
      ...title('yaml'),
      'config.json': '{"title":"json"}',
      'config.toml': "title = 'toml'",
    });
    expect(all).toEqual({ title: 'toml' });
  });

  it('keeps what can be read, and names each file that cannot', () => {
    const { all, unread } = readConfig({
      'hugo.toml': "title = 'Help'",
      'config/_default/params.toml': '[',
      'config/_default/markup.yaml': 'a: {',
    });
    expect(all).toEqual({ title: 'Help' });
    expect(unread.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^config\/_default\/markup\.yaml cannot be read: line 1: /),
      expect.stringMatching(/^config\/_default\/params\.toml cannot be read: /),
    ]);
  });
});

describe('the configuration of MkDocs', () => {
  it('takes over fields of what it inherits, also inside an object, but lists only as a whole', () => {
    const { all } = readConfig({
      'mkdocs.yml': 'INHERIT: base.yml\ntheme:\n  logo: b.svg\nplugins: [search]\nsite_name: Help',
      'base.yml':
        'site_name: Base\ntheme:\n  name: material\n  logo: a.svg\nplugins: [blog]\nextra: !ENV [A, b]',
    });
    expect(all).toMatchObject({
      site_name: 'Help',
      theme: { name: 'material', logo: 'b.svg' },
      plugins: ['search'],
    });
  });

  it('has another hash after a change in a file that it inherits', () => {
    const { root, write } = openFolderProject({
      'mkdocs.yml': 'INHERIT: base.yml',
      'base.yml': 'use_directory_urls: true',
    });
    const hashes = () => [...readConfigs(root)].map(hashProjectConfig);
    const before = hashes();
    expect(hashes()).toEqual(before);
    write({ 'base.yml': 'use_directory_urls: false' });
    expect(hashes()).not.toEqual(before);
  });
});

it('one that is code with a mistake is reported, and its pages are published by their folders', async () => {
  const { read } = openFolderProject({
    'docusaurus.config.js': 'export default {',
    'docs/a.md': '# A\n\nText.',
  });
  const { problems, stats } = await read();
  expect(problems).toMatchObject([
    {
      code: 'NAVIGATION_UNREAD',
      file: 'kb/docusaurus.config.js',
      message: expect.stringMatching(/^docusaurus\.config\.js cannot be read: line 1: /),
    },
  ]);
  expect(stats.published).toBe(1);
});
