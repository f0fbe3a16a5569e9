import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findInstallSpec, isBuiltOnInstall } from '../../src/cli/init/install-spec.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

describe('how a job gets Lectern', () => {
  it.each([
    ['git+https://git.example.com/acme/lectern.git', 'git+https://git.example.com/acme/lectern.git'],
    ['https://git.example.com/lectern-0.1.0.tgz', 'https://git.example.com/lectern-0.1.0.tgz'],
    ['^0.1.0', '^0.1.0'],
    ['file:../lectern-0.1.0.tgz', null],
    ['git+file:///home/me/lectern', null],
  ])('as the project from which it runs, such as that of npx, got it: %s', (spec, expected) => {
    const program = join(folder, 'npx/node_modules/lectern');
    mkdirSync(program, { recursive: true });
    writeFileSync(join(folder, 'npx/package.json'), JSON.stringify({ dependencies: { lectern: spec } }));
    expect(findInstallSpec(program)).toBe(expected);
  });

  it.each([
    ['https://me:token@git.example.com/lectern.git', 'git+https://git.example.com/lectern.git'],
    ['git@git.example.com:acme/lectern.git', 'git+ssh://git@git.example.com/acme/lectern.git'],
    ['git://git.example.com/lectern.git', 'git://git.example.com/lectern.git'],
    ['/srv/lectern.git', null],
  ])('from the remote of the clone from which it runs, without a password: %s', (remote, expected) => {
    const clone = mkdtempSync(join(folder, 'clone-'));
    execFileSync('git', ['init', '-q', clone]);
    expect(findInstallSpec(clone)).toBeNull();
    execFileSync('git', ['-C', clone, 'remote', 'add', 'origin', remote]);
    expect(findInstallSpec(`${clone}/`)).toBe(expected);
  });

  it('with scripts only if it is built from a repository', () => {
    const specs = [
      'git+ssh://git@git.example.com/a.git',
      'git://x/y',
      'acme/lectern',
      'github:acme/lectern#v1',
    ];
    expect(specs.filter((spec) => !isBuiltOnInstall(spec))).toEqual([]);
    const others = [
      '^0.1.0',
      '0.1.0',
      'file:lectern-0.1.0.tgz',
      'https://x.example/lectern-0.1.0.tgz',
      'latest',
    ];
    expect(others.filter(isBuiltOnInstall)).toEqual([]);
  });
});
