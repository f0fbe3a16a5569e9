import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeTree } from '../support/folder-layouts.ts';
import { runLectern, type SeededService, serveSeed } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

const site = ['--site-url', 'https://help.example.com', '--report', 'report.html'];
const dated = (day: string, text: string) => `---\nupdated: ${day}\n---\n${text}`;
const report = () => readFileSync(join(folder, 'report.html'), 'utf8');

describe('--report FILE.html', () => {
  it('is one page without scripts that shows translations, problems by kind, changes and sizes', async () => {
    writeTree(folder, {
      'docs/guide/index.md': '# Guide',
      'docs/guide/a.md': dated('2026-01-01', '# Alpha\n\nText.'),
      'docs/guide/b.md': '# Beta & Co\n\n[Gone](gone.md)',
      'docs/de/guide/a.md': dated('2026-01-02', '# Alpha auf Deutsch\n\nText.'),
      'docs/de/guide/c.md': '# Nur auf Deutsch\n\nText.',
      'docs/draft.md': '---\ndraft: true\n---\n# Draft\n\nText.',
    });
    expect(await runLectern(['build', 'docs', ...site], { cwd: folder })).toMatchObject({ code: 0 });
    const first = report();
    expect(first).not.toMatch(/<script|src=|href="(?!https:\/\/help\.example\.com)/);
    expect(first).toMatch(/<th scope="row">Guide<\/th><td><span class="warning">2 of 3<\/span>/);
    expect(first).not.toContain('<th scope="row"></th>');
    expect(first).toMatch(/2 of 3<\/span><details><summary>1 missing<\/summary>/);
    expect(first).toContain('<a href="https://help.example.com/guide/b/">Beta &amp; Co</a>');
    expect(first).toContain('<strong>LINK_BROKEN</strong> (1)');
    expect(first).toContain('<a href="https://help.example.com/guide/b/">docs/guide/b.md:3</a>');
    expect(first).toContain('Skipped: 1 draft: docs/draft.md');
    expect(first).toContain('Feed alone');

    writeTree(folder, { 'docs/guide/a.md': dated('2026-01-03', '# Alpha\n\nAnother text.') });
    await runLectern(['build', 'docs', ...site], { cwd: folder });
    expect(report()).toContain('<summary>1 older than the original</summary>');
    expect(report()).toContain('<a href="https://help.example.com/guide/a/">Alpha (en)</a>');
  });

  it('says why nothing was published', async () => {
    writeTree(folder, { 'docs/a.md': '---\ntitle: [x\n---\nText.' });
    expect(await runLectern(['build', 'docs', ...site], { cwd: folder })).toMatchObject({ code: 1 });
    expect(report()).toContain('Nothing was published');
    expect(report()).toContain('<strong>FILE_SKIPPED</strong> (1)');
  });

  it('has what readers did, if the source counts it', async () => {
    const service: SeededService = await serveSeed(join(root, 'sample'), folder);
    try {
      const { env } = service;
      await runLectern(['build', ...site], { cwd: folder, env });
      expect(report()).toMatch(/What readers did in the last 30 days<\/h2>\s*<p>Nothing was counted\.<\/p>/);
    } finally {
      await service.stop();
    }
  });
});
