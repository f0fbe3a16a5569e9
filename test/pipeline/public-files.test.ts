import { mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { walkFolder } from '../../src/core/user-folder.ts';
import { hashFolder } from '../../src/pipeline/hash-inputs.ts';
import { listPublicFiles } from '../../src/site/pages/public-files.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { makePipe } from '../support/make-pipe.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';

let project: OfflineProject;

beforeEach(async () => {
  project = createOfflineProject();
  const texts = { en: { title: 'A', body: '<p>Text.</p>' } };
  await project.write([{ id: 'article000', categoryId: null, texts }], []);
});

const write = (path: string, text: string) => writeTree(project.folder, { [path]: text });

const published = (path: string): Promise<string> => readFile(join(project.out, path), 'utf8');

describe('files of the public folder', () => {
  it.each(['', '.', './', '..'])('are never those of the whole project: %j', async (folder) => {
    write('notes.txt', 'internal');
    await expect(project.build({ site: { public: folder } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`site.public, ${JSON.stringify(folder)}, `),
    });
  });

  it('are published as they are, change with an edit, and go when they are deleted', async () => {
    write('public/CNAME', 'help.example.com\n');
    write('public/.well-known/security.txt', 'Contact: mailto:a@b.test\n');
    write('public/.DS_Store', 'junk');
    await project.build();
    expect(await published('CNAME')).toBe('help.example.com\n');
    expect(await published('.well-known/security.txt')).toContain('Contact');
    await expect(published('.DS_Store')).rejects.toThrow();

    write('public/CNAME', 'docs.example.com\n');
    await project.build();
    expect(await published('CNAME')).toBe('docs.example.com\n');

    await project.build({ site: { public: 'other' } });
    await expect(published('CNAME')).rejects.toThrow();
  });

  it('are ignored if that folder is an output', async () => {
    const named = ({ problems }: { readonly problems: readonly { readonly message: string }[] }) =>
      problems.map(({ message }) => message).filter((message) => message.includes('another build'));
    expect(named(await project.build({ out: 'public' }))).toEqual([]);
    const again = await project.build({ out: 'public' });
    expect([again.renderedPages, named(again)]).toEqual([0, []]);
    expect(named(await project.build())).toEqual([
      'public is the output of another build, so its files are not published',
    ]);
    expect(await published('en/index.html')).toContain('A');
  });

  it('may be behind links inside the folder; only files are published', async () => {
    write('public/shared/a/file.txt', 'shared');
    write('public/a/own.txt', 'own');
    await symlink('shared', join(project.folder, 'public/linked'));
    await symlink('../linked/a/file.txt', join(project.folder, 'public/a/link-to-link.txt'));
    await symlink('..', join(project.folder, 'public/a/up'));
    await symlink('itself', join(project.folder, 'public/itself'));
    await symlink('nowhere', join(project.folder, 'public/nowhere'));
    await symlink('/dev/zero', join(project.folder, 'public/device'));
    await makePipe(join(project.folder, 'public/pipe'));
    expect([...listPublicFiles(join(project.folder, 'public')).paths]).toEqual([
      'a/link-to-link.txt',
      'a/own.txt',
      'linked/a/file.txt',
      'shared/a/file.txt',
    ]);
    await project.build();
    expect(await published('linked/a/file.txt')).toBe('shared');
    write('public/shared/a/file.txt', 'edited');
    await project.build();
    expect(await published('linked/a/file.txt')).toBe('edited');
    expect(await published('a/link-to-link.txt')).toBe('edited');
  });

  it('are refused, and named, if they cannot be published', async () => {
    const folder = join(project.folder, 'public');
    const why = async (name: string | Buffer, bytes: number): Promise<string> => {
      const other = join(folder, String(bytes), '/');
      await mkdir(other, { recursive: true });
      const path = Buffer.concat([Buffer.from(other), Buffer.from(name)]);
      await writeFile(path, '');
      await truncate(path, bytes);
      try {
        listPublicFiles(other);
        return 'published';
      } catch (error) {
        return String(error);
      }
    };
    expect(await why('a\\b.txt', 1)).toContain('its name contains a backslash');
    expect(await why('video.mp4', 2 ** 31)).toContain('it is larger than 2 GiB');
    if (process.platform === 'linux') {
      expect(await why(Buffer.from('caf\xe9', 'latin1'), 3)).toContain('its name is not UTF-8');
      const parent = join(folder, 'names/');
      await mkdir(Buffer.concat([Buffer.from(parent), Buffer.from('caf\xe9', 'latin1')]), {
        recursive: true,
      });
      expect(() => listPublicFiles(parent)).toThrow('its name is not UTF-8');
      expect(() => hashFolder(parent)).not.toThrow();
    }
  });

  it('do not come from a link to the whole file system', async () => {
    await mkdir(join(project.folder, 'public'));
    await symlink('/', join(project.folder, 'public/root'));
    expect(Array.from(walkFolder(join(project.folder, 'public')))).toEqual([{ path: 'root', kind: 'link' }]);
  });

  it.each([
    ['llms.txt', 'assets/x.css', 'en/x.html', 'feed/manifest.json', 'sitemap.xml'],
    // With the manifest, this one would make the folder look like an output.
    ['output-files.txt', 'en'],
  ])('never replace what Lectern writes, but do not stop the build: %s', async (...paths) => {
    for (const path of paths) write(`public/${path}`, 'mine');
    const { problems } = await project.build();
    const named = problems.filter(({ code }) => code === 'PUBLIC_FILE_SKIPPED').map(({ message }) => message);
    expect(named.sort()).toEqual(paths.map((path) => `public/${path} is not published`).sort());
    for (const path of paths) expect(await published(path).catch(() => null)).not.toBe('mine');
  });

  it('replace robots.txt, the error page and the start page, but nothing else', async () => {
    for (const path of ['robots.txt', '404.html', 'index.html', 'feed/manifest.json'])
      write(`public/${path}`, 'mine');
    await project.build();
    expect(await published('robots.txt')).toBe('mine');
    expect(await published('404.html')).toBe('mine');
    expect(await published('index.html')).toBe('mine');
    expect(await published('feed/manifest.json')).not.toBe('mine');
  });

  it('may have the name of the widget if there is none', async () => {
    write('public/widget.js', 'mine');
    await project.build();
    expect(await published('widget.js')).toBe('mine');
    const { problems } = await project.build({ site: { widget: { origins: ['https://app.example.com'] } } });
    expect(problems).toContainEqual(
      expect.objectContaining({
        code: 'PUBLIC_FILE_SKIPPED',
        message: 'public/widget.js is not published',
      }),
    );
    expect(await published('widget.js')).toContain('lectern-help');
    await project.build();
    expect(await published('widget.js')).toBe('mine');
  });

  it('are rules of hosts that follow those of Lectern', async () => {
    write('public/_headers', '/x\n  X-A: b');
    write('public/_redirects', '/* /en/ 302\n');
    await project.build({ redirects: { formats: ['netlify'], rules: [{ from: '/old', to: '/en/' }] } });
    expect(await published('_headers')).toMatch(/Content-Security-Policy[\s\S]*\n\/x\n {2}X-A: b\n$/);
    expect(await published('_redirects')).toMatch(/^\/old [\s\S]*\n\/\* \/en\/ 302\n$/);
    write('public/_redirects', '/* /de/ 302\n');
    await project.build({ redirects: { formats: ['netlify'], rules: [{ from: '/old', to: '/en/' }] } });
    expect(await published('_redirects')).toMatch(/\n\/\* \/de\/ 302\n$/);
    await project.build({ redirects: { formats: ['nginx'] } });
    expect(await published('_redirects')).toBe('/* /de/ 302\n');
  });

  it('never take the place of a folder of pages', async () => {
    write('public/help', 'x');
    write('public/other/x', 'x');
    const { problems } = await project.build({ urls: { article: 'help/{lang}/{id}' } });
    expect(problems.map(({ message }) => message)).toContain('public/help is not published');
    await project.build({ urls: { article: 'other/{lang}/{id}' } });
    expect(await published('other/x')).toBe('x');
  });

  it('can be the logo, one for light and one for dark ground', async () => {
    write('public/logo.svg', '<svg/>');
    write('templates/assets/night.svg', '<svg></svg>');
    const siteUrl = 'https://example.com/docs/';
    await project.build({ siteUrl, site: { logo: { light: '/logo.svg', dark: 'night.svg' } } });
    const home = await published('en/index.html');
    expect(home).toContain('<img class="on-light" src="/docs/logo.svg" alt="" height="28">');
    expect(home).toMatch(
      /<img class="on-dark" src="\/docs\/assets\/night\.[0-9a-f]{10}\.svg" alt="" height="28">/,
    );
  });

  it.each(['/nowhere.svg', 'nowhere.svg', 'assets/nowhere.svg'])(
    'fail the build if the logo names none: %s',
    async (logo) => {
      await expect(project.build({ site: { logo } })).rejects.toMatchObject({
        code: 'SITE_FILE_MISSING',
        message: `site.logo names "${logo}", which does not exist`,
        exitCode: 2,
      });
    },
  );
});
