import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPagesUrl, pagesUrlOf } from '../../src/cli/init/pages-url.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the URL at which Pages publish a repository', () => {
  it.each([
    ['https://github.com/acme/help.git', 'https://acme.github.io/help'],
    ['https://github.com/acme/help', 'https://acme.github.io/help'],
    ['https://x-access-token:secret@github.com/acme/help.git', 'https://acme.github.io/help'],
    ['git@github.com:Acme-Inc/Help.Centre.git', 'https://acme-inc.github.io/Help.Centre'],
    ['ssh://git@github.com:22/acme/help.git/', 'https://acme.github.io/help'],
    ['git://github.com/acme/Acme.github.io.git', 'https://acme.github.io'],
  ])('is that of the owner on GitHub: %s', (remote, url) => {
    expect(pagesUrlOf('github', remote)).toBe(url);
    expect(pagesUrlOf('gitlab', remote)).toBeNull();
  });

  it.each([
    ['git@gitlab.com:acme/help.git', 'https://acme.gitlab.io/help'],
    ['https://gitlab.com/acme/docs/team/help.git', 'https://acme.gitlab.io/docs/team/help'],
    ['https://gitlab.com/acme/acme.gitlab.io', 'https://acme.gitlab.io'],
  ])('is that of the top group on GitLab: %s', (remote, url) => {
    expect(pagesUrlOf('gitlab', remote)).toBe(url);
    expect(pagesUrlOf('github', remote)).toBeNull();
  });

  it.each([
    '',
    '/srv/git/help.git',
    'https://git.example.com/acme/help.git',
    'https://github.com.example.com/acme/help.git',
    'https://example.com/github.com/acme/help.git',
    'https://github.com/acme',
    'https://github.com/acme/.git',
    'https://github.com//help',
    'https://github.com/acme_corp/help.git',
  ])('is unknown for the remote %j', (remote) => {
    expect(pagesUrlOf('github', remote)).toBeNull();
  });

  it('is read from the repository around a folder, and unknown without one', () => {
    const root = temporaryFolder();
    const folder = join(root, 'a/b');
    mkdirSync(folder, { recursive: true });
    expect(findPagesUrl('github', folder)).toBeNull();
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    expect(findPagesUrl('github', folder)).toBeNull();
    execFileSync('git', ['remote', 'add', 'origin', 'git@github.com:acme/help.git'], { cwd: root });
    expect(findPagesUrl('github', folder)).toBe('https://acme.github.io/help');
    expect(findPagesUrl('cron', folder)).toBeNull();
  });
});
