import { execFileSync } from 'node:child_process';
import type { InitAnswers } from './ask.ts';

/**
 * The URL at which GitHub Pages or GitLab Pages publish the repository of a folder, by its remote `origin`; `null` if there is none, or if
 * it is on another host.
 */
export function findPagesUrl(ci: InitAnswers['ci'], folder: string): string | null {
  if (ci !== 'github' && ci !== 'gitlab') return null;
  try {
    const remote = execFileSync('git', ['remote', 'get-url', 'origin'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return pagesUrlOf(ci, remote.trim());
  } catch {
    return null;
  }
}

/** The branch that a repository publishes: the default branch of its remote, else the current one, else `main`. */
export function findBranch(folder: string): string {
  for (const ref of ['refs/remotes/origin/HEAD', 'HEAD']) {
    try {
      const name = execFileSync('git', ['symbolic-ref', '--short', ref], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const branch = name.trim().replace(/^origin\//, '');
      // Other names would need quotes.
      if (/^[\w][\w./-]*$/.test(branch)) return branch;
    } catch {
      // The folder is no repository, or it has no such branch.
    }
  }
  return 'main';
}

const remotes = {
  github: /^(?:https?:\/\/(?:[^@/]+@)?|ssh:\/\/git@|git:\/\/|git@)github\.com(?::\d+)?[/:]/i,
  gitlab: /^(?:https?:\/\/(?:[^@/]+@)?|ssh:\/\/git@|git:\/\/|git@)gitlab\.com(?::\d+)?[/:]/i,
} as const;

/**
 * `git@github.com:acme/help.git` → `https://acme.github.io/help`; the repository `acme.github.io` is the site of the owner itself. GitLab
 * adds subgroups to the path.
 */
export function pagesUrlOf(ci: 'github' | 'gitlab', remote: string): string | null {
  if (!remotes[ci].test(remote)) return null;
  const [owner = '', ...path] = remote
    .replace(remotes[ci], '')
    .replace(/(?:\.git)?\/*$/, '')
    .split('/');
  // Other names of owners cannot be part of a host name.
  if (!/^[a-z\d](?:-?[a-z\d])*$/i.test(owner) || path.length === 0 || path.includes('')) return null;
  const host = `${owner.toLowerCase()}.${ci}.io`;
  const isOwnSite = path.length === 1 && path[0]?.toLowerCase() === host;
  return isOwnSite ? `https://${host}` : `https://${host}/${path.map(encodeURIComponent).join('/')}`;
}
