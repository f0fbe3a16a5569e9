import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';

/** Tools that only some machines have; `.ci/run` installs them and sets LECTERN_REQUIRE_TOOLS=1. */
const candidates = {
  // The shell is the same engine without the browser's own windows: it opens a page in a fifth of the processor time.
  chromium: [
    process.env.CHROMIUM_PATH,
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
  ],
  java: [process.env.JAVA_PATH, 'java'],
  nginx: [process.env.NGINX_PATH, 'nginx', '/usr/sbin/nginx'],
  caddy: [process.env.CADDY_PATH, 'caddy'],
  shellcheck: [process.env.SHELLCHECK_PATH, 'shellcheck'],
  rsync: [process.env.RSYNC_PATH, 'rsync'],
  rclone: [process.env.RCLONE_PATH, 'rclone'],
  minisign: [process.env.MINISIGN_PATH, 'minisign'],
  unshare: [process.env.UNSHARE_PATH, 'unshare'],
  python: [process.env.PYTHON_PATH, 'python3'],
  hugo: [process.env.HUGO_PATH, 'hugo'],
  jekyll: [process.env.JEKYLL_PATH, 'jekyll'],
  mkdocs: [process.env.MKDOCS_PATH, 'mkdocs'],
  sphinx: [process.env.SPHINX_PATH, 'sphinx-build'],
  postgres: [
    process.env.POSTGRES_PATH,
    'postgres',
    ...[17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin/postgres`),
  ],
} as const;

export type Tool = keyof typeof candidates;

/** Absolute path of a tool, or `null` if it is not installed. */
export function findTool(tool: Tool): string | null {
  for (const name of candidates[tool]) {
    if (!name) continue;
    if (name.includes('/') && existsSync(name)) return name;
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(folder, name);
      if (existsSync(path)) return path;
    }
  }
  return null;
}

/** Like `describe`, but skips visibly without the tool, or fails if LECTERN_REQUIRE_TOOLS is set. */
export function describeWith(tool: Tool, title: string, body: (path: string) => void): void {
  const path = findTool(tool);
  if (path !== null) describe(title, () => body(path));
  else if (process.env.LECTERN_REQUIRE_TOOLS) {
    throw new Error(`${tool} is required by LECTERN_REQUIRE_TOOLS and was not found (${title})`);
  } else describe.skip(`${title} (needs ${tool})`, () => {});
}

/**
 * Java flags for the Nu HTML checker. It runs for seconds, so optimising its code does not pay; its regular expressions need a large stack.
 */
export const javaFlags = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xss8m'];

/** Flags for `npm install` in a test: no unneeded requests, and no waiting for a slow registry. */
export const npmFlags = ['--no-audit', '--no-fund', '--fetch-retries=1', '--fetch-timeout=20000'];

/** Like `describe`, but skips visibly if no registry responds, or fails if LECTERN_REQUIRE_TOOLS is set. */
export function describeOnline(title: string, body: () => void): void {
  if (process.env.LECTERN_REQUIRE_TOOLS || reachesRegistry()) describe(title, body);
  else describe.skip(`${title} (needs the package registry)`, () => {});
}

function reachesRegistry(): boolean {
  try {
    execFileSync('npm', ['view', 'eta', 'version', '--fetch-retries=0', '--fetch-timeout=5000'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

/** Folder of the shared corpora next to the checkout; most machines have none. */
export const corporaFolder = fileURLToPath(new URL('../../../shared/corpora/', import.meta.url));

/** Like `describe`, but skips visibly without the real knowledge bases. */
export const describeWithCorpora = existsSync(join(corporaFolder, 'README.md')) ? describe : describe.skip;

/** Flags to run Chromium headless, as root, without network requests. */
export const chromiumFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
