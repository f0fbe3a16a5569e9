import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runLectern } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  await writeFile(join(folder, 'lectern.config.json'), '{ "site": { "title": "Pebblepost Help" } }');
});

const env = {
  LECTERN_BASE_URL: 'https://kb.example.com/v1',
  LECTERN_API_KEY: 'lk_secret',
};

describe('lectern config', () => {
  it('prints values with their origins, and never the key', async () => {
    const { code, stdout, stderr } = await runLectern(['config'], { cwd: folder, env });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^baseUrl +"https:\/\/kb\.example\.com\/v1" {2}\(LECTERN_BASE_URL\)$/m);
    expect(stdout).toMatch(/^site\.title +"Pebblepost Help" {2}\(lectern\.config\.json\)$/m);
    expect(stdout).toMatch(/^out +"dist" {2}\(default\)$/m);
    expect(stdout).toMatch(/^source\.layout +"auto" {2}\(default\)$/m);
    expect(stdout).toMatch(/^siteUrl +—$/m);
    expect(stdout).toContain('LECTERN_API_KEY is set\n');
    expect(stdout).not.toContain('lk_secret');
  });

  it('prints them as JSON', async () => {
    const { stdout } = await runLectern(['config', '--json'], { cwd: folder, env });
    expect(JSON.parse(stdout)).toMatchObject({
      'site.title': { value: 'Pebblepost Help', origin: 'lectern.config.json' },
      siteUrl: { value: null, origin: 'default' },
    });
    expect(stdout).not.toContain('lk_secret');
  });
});
