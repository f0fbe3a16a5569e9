import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';

let project: OfflineProject;

beforeEach(async () => {
  project = await createOfflineProject();
  const texts = { en: { title: 'A', body: '<p>Text.</p>' } };
  await project.write([{ id: 'article000', categoryId: null, texts }], []);
});
afterEach(() => project.remove());

async function write(path: string, text: string): Promise<void> {
  const file = join(project.folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const published = (path: string): Promise<string> => readFile(join(project.out, path), 'utf8');

describe('files of the public folder', () => {
  it('are published as they are, change with an edit, and go when they are deleted', async () => {
    await write('public/CNAME', 'help.example.com\n');
    await write('public/.well-known/security.txt', 'Contact: mailto:a@b.test\n');
    await write('public/.DS_Store', 'junk');
    await project.build();
    expect(await published('CNAME')).toBe('help.example.com\n');
    expect(await published('.well-known/security.txt')).toContain('Contact');
    await expect(published('.DS_Store')).rejects.toThrow();

    await write('public/CNAME', 'docs.example.com\n');
    await project.build();
    expect(await published('CNAME')).toBe('docs.example.com\n');

    await project.build({ site: { public: 'other' } });
    await expect(published('CNAME')).rejects.toThrow();
  });

  it('are none where that folder is an output', async () => {
    await project.build({ out: 'public' });
    expect((await project.build({ out: 'public' })).renderedPages).toBe(0);
    await project.build();
    expect(await published('en/index.html')).toContain('A');
  });

  it.each(['index.html', 'assets/x.css', 'en/x.html', 'feed/manifest.json', 'output-files.txt'])(
    'never replace what Lectern writes: %s',
    async (path) => {
      await write(`public/${path}`, 'x');
      await expect(project.build()).rejects.toMatchObject({
        code: 'PUBLIC_FILE_TAKEN',
        message: `${join(project.folder, 'public', path)} would replace a file that Lectern writes`,
      });
    },
  );

  it('can be the logo, one for light and one for dark ground', async () => {
    await write('public/logo.svg', '<svg/>');
    await write('templates/assets/night.svg', '<svg></svg>');
    const siteUrl = 'https://example.com/docs/';
    await project.build({ siteUrl, site: { logo: '/logo.svg', logoDark: 'night.svg' } });
    const home = await published('en/index.html');
    expect(home).toContain('<img class="on-light" src="/docs/logo.svg" alt="" height="28">');
    expect(home).toMatch(
      /<img class="on-dark" src="\/docs\/assets\/night\.[0-9a-f]{10}\.svg" alt="" height="28">/,
    );
  });

  it.each(['/nowhere.svg', 'nowhere.svg', 'assets/nowhere.svg'])(
    'fail the build where the logo names none: %s',
    async (logo) => {
      await expect(project.build({ site: { logo } })).rejects.toMatchObject({
        code: 'SITE_FILE_MISSING',
        message: `site.logo names "${logo}", which does not exist`,
        exitCode: 2,
      });
    },
  );
});
