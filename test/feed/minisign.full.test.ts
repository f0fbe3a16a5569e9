import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { writeTree } from '../support/folder-layouts.ts';
import { lecternProgram } from '../support/lectern.ts';
import { readTree } from '../support/read-tree.ts';
import { type SiteFiles, serveFiles } from '../support/static-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith } from '../support/tools.ts';

const run = promisify(execFile);
const [createKeys = '', sign = '', download = ''] = recipe();

describeWith('minisign', 'the recipe that signs the feed', (minisign) => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    write('docs/lid.md', '# Lid\n\nOpen the lid.\n');
    write(
      'lectern.config.json',
      JSON.stringify({
        source: { kind: 'folder', path: 'docs' },
        siteUrl: 'https://help.example.com',
      }),
    );
  });

  const write = (path: string, text: string) => writeTree(folder, { [path]: text });
  /** Runs the commands of the recipe; `lectern` is the compiled program. */
  const shell = (commands: string) =>
    run(
      'bash',
      [
        '-ec',
        `lectern() { '${process.execPath}' '${lecternProgram}' "$@"; }\nminisign() { '${minisign}' "$@"; }\n${commands}`,
      ],
      { cwd: folder },
    );
  /** What a reader does with the published folder; a file may be replaced on the web server. */
  const read = async (changed: Readonly<Record<string, string>> = {}) => {
    const files: SiteFiles = new Map<string, string | Uint8Array>([
      ...(await readTree(join(folder, 'dist'))),
      ...Object.entries(changed),
    ]);
    const server = await serveFiles(files);
    rmSync(join(folder, 'copy'), { recursive: true, force: true });
    const { stdout } = await shell(download.replaceAll('https://help.example.com', server.origin)).finally(
      server.close,
    );
    return stdout;
  };

  it('lets a reader notice a change of any file, and signs the next build again', async () => {
    await shell(createKeys);
    await shell(sign);
    expect(await read()).toMatch(/Signature and comment signature verified[\s\S]*no problems/);
    const published = (path: string) => readFileSync(join(folder, 'dist', path), 'utf8');
    const documents = 'feed/en/documents.jsonl';
    await expect(read({ [documents]: published(documents).replace('lid', 'hat') })).rejects.toMatchObject({
      stdout: expect.stringContaining(`${documents}: its size or SHA-256`),
    });
    const manifest = published('feed/manifest.json');
    await expect(read({ 'feed/manifest.json': `${manifest} ` })).rejects.toMatchObject({
      stderr: expect.stringContaining('Signature verification failed'),
    });
    write('docs/lid.md', '# Lid\n\nOpen the door.\n');
    await shell(sign);
    await expect(read({ 'feed/manifest.json': manifest })).rejects.toMatchObject({
      stderr: expect.stringContaining('Signature verification failed'),
    });
    expect(await read()).toContain('run 2:');
  });
});

/** The indented blocks of the recipe. */
function recipe(): readonly string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/recipes.md'), 'utf8');
  const section = page.split(/^## /m).find((text) => text.startsWith('Sign the feed\n')) ?? '';
  return [...section.matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) => block.replaceAll(/^ {4}/gm, ''));
}
