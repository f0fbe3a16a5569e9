import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readFileOrNull } from '../../core/file-system.ts';

/** How a job installs the packages of a project and starts a program of one, with the package manager that its lock file belongs to. */
export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn';
  readonly lockFile: string;
  /** Installs what the lock file says, with the scripts of the packages. */
  readonly install: string;
  readonly withoutScripts: string;
  /** What stands before the name of a program; it installs nothing. */
  readonly run: string;
  /** Adds a package for development. */
  readonly add: string;
}

const npm = {
  name: 'npm',
  lockFile: 'package-lock.json',
  install: 'npm ci',
  withoutScripts: '--ignore-scripts',
  run: 'npx --no',
  add: 'npm install --save-dev',
} as const;

const pnpm = {
  name: 'pnpm',
  lockFile: 'pnpm-lock.yaml',
  install: 'pnpm install --frozen-lockfile',
  withoutScripts: '--ignore-scripts',
  run: 'pnpm exec',
  add: 'pnpm add --save-dev',
} as const;

/** Yarn 1, and the later ones, whose lock file has `__metadata`. */
const yarn = {
  name: 'yarn',
  lockFile: 'yarn.lock',
  install: 'yarn install --frozen-lockfile',
  withoutScripts: '--ignore-scripts',
  run: 'yarn run',
  add: 'yarn add --dev',
} as const;

const yarnBerry = {
  ...yarn,
  install: 'yarn install --immutable',
  withoutScripts: '--mode=skip-build',
} as const;

/** The package manager of a project: npm, unless only the lock file of another one is there. */
export function findPackageManager(folder: string): PackageManager {
  const has = ({ lockFile }: PackageManager): boolean => existsSync(join(folder, lockFile));
  if (has(npm)) return npm;
  if (has(pnpm)) return pnpm;
  if (!has(yarn)) return npm;
  return readFileOrNull(join(folder, yarn.lockFile))?.includes('__metadata:') ? yarnBerry : yarn;
}
