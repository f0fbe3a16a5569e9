import { execFileSync } from 'node:child_process';
import type { InitAnswers } from './ask.ts';

/**
 * The URL at which GitHub Pages or GitLab Pages publish the repository of a folder, by its remote `origin`; `null` if there is none, or if
 * it is on another host.
 */
export function findPagesUrl(ci: InitAnswers['ci'], folder: string): string | null {
  const remote = ci === 'github' || ci === 'gitlab' ? askGit(folder, 'remote', 'get-url', 'origin') : null;
  return remote === null ? null : pagesUrlOf(ci as keyof typeof remotes, remote);
}

/** What a command of Git prints about the repository of a folder; `null` if it fails: the folder may be no repository. */
export function askGit(folder: string, ...command: readonly string[]): string | null {
  try {
    return execFileSync('git', command, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

/** The branch that a repository publishes: the default branch of its remote, else the current one, else `main`. */
export function findBranch(folder: string): string {
  const names = ['refs/remotes/origin/HEAD', 'HEAD'].map(
    (ref) => askGit(folder, 'symbolic-ref', '--short', ref)?.replace(/^origin\//, '') ?? '',
  );
  // Other names would need quotes.
  return names.find((name) => /^[\w][\w./-]*$/.test(name)) ?? 'main';
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
