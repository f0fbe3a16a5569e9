import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJsonOrNull } from '../../core/file-system.ts';
import { askGit } from './pages-url.ts';

/** The folder of the running program. */
const program = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * What a package manager is given to install Lectern in a project, as the running program was installed: what its own project says (also the
 * one that `npx` makes), or the remote of the clone from which it runs. So a job installs from where the person who set it up did.
 * @param folder of the package
 * @returns such as `git+https://git.example.com/acme/lectern.git` or `^0.1.0`; `null` if it is not known, or is a path of this machine
 */
export function findInstallSpec(folder: string = program): string | null {
  const parent = dirname(folder.replace(/[\\/]$/, ''));
  const spec = basename(parent) === 'node_modules' ? installedSpec(dirname(parent)) : remoteSpec(folder);
  return spec === null || isOnThisMachine(spec) ? null : spec;
}

/** What the `package.json` of a project says of Lectern; `null`: nothing. */
export function installedSpec(project: string): string | null {
  const manifest = (readJsonOrNull(join(project, 'package.json')) ?? {}) as {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
  return manifest.devDependencies?.lectern ?? manifest.dependencies?.lectern ?? null;
}

/** Whether a package manager builds what it installs, with the scripts of the package: it does so with a repository of Git only. */
export function isBuiltOnInstall(spec: string): boolean {
  return /^(?:git[+:@]|git\+|(?:github|gitlab|bitbucket|gist):|[\w-]+\/[\w.-]+(?:#|$))|\.git(?:#|$)/.test(
    spec,
  );
}

/** The remote `origin` of a clone, as package managers name it, without a password. */
function remoteSpec(folder: string): string | null {
  if (!existsSync(join(folder, '.git'))) return null;
  const remote = askGit(folder, 'remote', 'get-url', 'origin') ?? '';
  const [, user, path] = /^([\w.-]+@[\w.-]+):(?!\/)(.+)$/.exec(remote) ?? [];
  if (user !== undefined) return `git+ssh://${user}/${path}`;
  if (/^git:\/\//.test(remote)) return remote;
  if (/^ssh:\/\//.test(remote)) return `git+${remote}`;
  return /^https?:\/\//.test(remote) ? `git+${remote.replace(/\/\/[^/]*@/, '//')}` : null;
}

/** Whether a spec names a file or folder, which a job on another machine does not have. */
function isOnThisMachine(spec: string): boolean {
  return /^(?:file:|link:|workspace:|git\+file:|\.|\/|~|[a-z]:\\)/i.test(spec);
}
