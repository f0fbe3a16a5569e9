import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Renderer } from '@takumi-rs/core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { build } from '../../src/pipeline/library-build.ts';
import { type Tree, writeTree } from '../support/folder-layouts.ts';
import { readTree } from '../support/read-tree.ts';

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4" cx="4" cy="4" fill="#fff"/></svg>`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-images-'));
  writeTree(join(folder, 'public'), { 'share.png': 'x', 'logo.svg': logo });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function publish(pages: Tree, settings: Readonly<Record<string, unknown>> = {}) {
  writeTree(join(folder, 'kb'), pages);
  const report = await build(
    {
      siteUrl: 'https://help.example.com/docs',
      source: { kind: 'folder', path: './kb' },
      urls: { article: '{path}' },
      site: { title: 'Pebbles', socialImages: true, ogImage: '/share.png', logo: '/logo.svg', ...settings },
    },
    { folder, apiKey: '' },
  );
  const files = await readTree(join(folder, 'dist'));
  const html = files.get('care/index.html')?.toString() ?? '';
  return {
    report,
    /** Path of the picture that the page names. */
    image: /property="og:image" content="https:\/\/help\.example\.com\/docs\/([^"]+)"/.exec(html)?.[1] ?? '',
    files,
  };
}

const care = { 'care.md': '# Care for the chain\n\nOil it.' };

describe('the picture of an article for shared links', () => {
  test('is a PNG of 1200 × 630 pixels beside the page, which names it', async () => {
    const { image, files } = await publish(care);
    expect(image).toMatch(/^care\/index\.[0-9a-f]{10}\.png$/);
    const png = files.get(image) ?? Buffer.alloc(0);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(files.get('care/index.html')?.toString()).toContain('content="summary_large_image"');
    expect(files.get('feed/manifest.json')?.toString()).not.toContain('.png');
  });

  test('is not drawn again when only the text changes, and replaced when the title does', async () => {
    const draw = vi.spyOn(Renderer.prototype, 'render');
    const first = await publish(care);
    expect(draw).toHaveBeenCalledTimes(1);
    const edited = await publish({ 'care.md': '# Care for the chain\n\nOil it twice.' });
    expect(edited.image).toBe(first.image);
    expect(draw).toHaveBeenCalledTimes(1);
    const renamed = await publish({ 'care.md': '# Clean the chain\n\nOil it twice.' });
    expect(renamed.image).not.toBe(first.image);
    const images = [...renamed.files.keys()].filter((path) => path.endsWith('.png'));
    expect(images.sort()).toEqual([renamed.image, 'share.png'].sort());
    expect(renamed.files.get(renamed.image)).not.toEqual(first.files.get(first.image));
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['the accent colour', { theme: { accent: '#7a1f5c' } }],
    ['the logo', { logo: '/other.svg' }],
    ['the title of the site', { title: 'Stones' }],
  ])('shows %s', async (_what, settings) => {
    writeFileSync(join(folder, 'public/other.svg'), logo.replace('#fff', '#fc0'));
    const before = await publish(care);
    const after = await publish(care, settings);
    expect(after.image).not.toBe(before.image);
    expect(after.files.get(after.image)).not.toEqual(before.files.get(before.image));
  });

  test('is made by the template of the user', async () => {
    const before = await publish(care);
    writeTree(join(folder, 'templates'), {
      'social-image.eta': '<div style="width: 1200px; height: 630px; background-color: #123456"></div>',
    });
    const { image, files } = await publish(care);
    expect(image).not.toBe(before.image);
    expect(files.get(image)?.length).toBeLessThan(before.files.get(before.image)?.length ?? 0);
  });

  test('is not made if no font has its letters: the page names the picture of the site, and one problem says so', async () => {
    const { image, files, report } = await publish({ ...care, 'care.md': '# 手入れ\n\nOil it.' });
    expect(image).toBe('share.png');
    expect([...files.keys()].filter((path) => path.endsWith('.png'))).toEqual(['share.png']);
    expect(report.problems.filter(({ code }) => code === 'IMAGE_FONT_MISSING')).toMatchObject([
      { language: 'en', severity: 'warning', message: expect.stringContaining('"手", "入", "れ"') },
    ]);
  });

  test('is not made without the setting', async () => {
    expect((await publish(care, { socialImages: false })).image).toBe('share.png');
  });
});

test('a file that is no font stops the build before anything is published', async () => {
  mkdirSync(join(folder, 'templates/fonts'), { recursive: true });
  writeFileSync(join(folder, 'templates/fonts/own.ttf'), readFileSync(join(folder, 'public/logo.svg')));
  await expect(publish(care)).rejects.toMatchObject({
    code: 'FONT_INVALID',
    message: expect.stringContaining('own.ttf'),
  });
});
