import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTree } from '../support/folder-layouts.ts';
import { runLectern } from '../support/lectern.ts';
import { fc, runs } from '../support/properties.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const words = fc.constantFrom(
  'Tap Share',
  'Print',
  'x',
  '',
  'Größe',
  '打印',
  'اطبع',
  'a_b*c',
  '&lt;b&gt;',
  '1.10',
);
const image = fc
  .tuple(words, fc.constantFrom('', 'Share sheet', 'Print dialog', 'a|b]', '"quoted"'), words)
  .map(
    ([before, alt, after]) => `${before}<img src="share.png" alt="${alt.replaceAll('"', '&quot;')}">${after}`,
  );
const markdownImage = fc.tuple(words, words).map(([before, alt]) => `${before}![${alt}](share.png)${before}`);
const video = fc.constantFrom(
  '<video src="clip.mp4" controls poster="share.png">A clip</video>',
  '<iframe src="https://www.youtube.com/embed/aqz-KE-bpKQ" title="How to print"></iframe>',
  '<iframe src="https://unknown.example/v/1"></iframe>',
  '<audio src="clip.mp3"></audio>',
);
const inline = fc.oneof(words, image, markdownImage);
const table = fc
  .array(fc.tuple(inline, inline), { minLength: 1, maxLength: 3 })
  .map((rows) => `<table>${rows.map(([a, b]) => `<tr><td>${a}</td><td>${b}</td></tr>`).join('')}</table>`);
const block = fc.oneof(
  inline.map((text) => `<p>${text}</p>`),
  inline,
  table,
  video,
  fc.tuple(inline, inline).map(([name, text]) => `<details><summary>${name}</summary>${text}</details>`),
  fc.tuple(words, inline).map(([name, text]) => `## ${name}\n\n${text}`),
  fc
    .array(inline, { minLength: 1, maxLength: 3 })
    .map((items) => items.map((item) => `- ${item}`).join('\n')),
  fc.constant('| a | b |\n|---|---|\n| ![x](share.png) | Text<br>more |'),
  fc.constant('```js\n// <img src="share.png">\n```'),
);
const article = fc.array(block, { minLength: 1, maxLength: 5 }).map((blocks) => `${blocks.join('\n\n')}\n`);

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('lectern verify', () => {
  let folder: string;
  let projects = 0;

  beforeAll(() => {
    folder = temporaryFolder();
  });

  /** Builds the articles twice, the second time without the last one, and expects no finding after each. */
  async function expectVerified(bodies: readonly string[]): Promise<void> {
    const cwd = join(folder, String(projects++));
    const files = bodies.map(
      (body, at) => [`docs/a${at}.md`, `---\ntitle: Article ${at}\n---\n${body}`] as const,
    );
    writeTree(cwd, { ...Object.fromEntries(files), 'docs/share.png': png, 'docs/clip.mp4': 'x' });
    const build = ['build', '--source', 'docs', '--site-url', 'https://help.example.com', '--quiet'];
    for (const _ of [1, 2]) {
      const built = await runLectern(build, { cwd });
      expect(built.code, built.stderr).toBe(0);
      const { code, stdout } = await runLectern(['verify', 'dist'], { cwd });
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^run [12]: .*, no problems\n$/)]);
      await rm(join(cwd, `docs/a${bodies.length - 1}.md`), { force: true });
    }
  }

  it('accepts a feed whose words stand directly before an image', async () => {
    const alone =
      'Tap Share<img src="share.png" alt="Share sheet">\n\nTap Print<img src="share.png" alt="Print dialog">\n';
    await expectVerified([alone, 'Some text.\n']);
  });

  it('accepts what was just built of any bodies with images, videos and tables', {
    tags: 'property',
  }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(article, { minLength: 20, maxLength: 40 }), expectVerified), {
      numRuns: runs(40),
      endOnFailure: true,
    });
  });
});
