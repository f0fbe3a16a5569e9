import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  /** A folder of this repository, not a package. */
  readonly link?: boolean;
  /** Its files are in the package that needs it. */
  readonly inBundle?: boolean;
}

const { packages } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
) as { readonly packages: Readonly<Record<string, Locked>> };

// npm writes none for packages of other platforms if the lock is made while `node_modules` exists. Then `npm ci` would install anything there.
it('package-lock.json has the hash of every package, and no address to download it from', () => {
  const locked = Object.entries(packages).filter(([path]) => path !== '');
  expect(locked.length).toBeGreaterThan(500);
  const unchecked = locked.filter(
    ([, { integrity, link, inBundle }]) => !(link || inBundle || /^sha512-\S{88}$/.test(integrity ?? '')),
  );
  expect(unchecked.map(([path]) => path)).toEqual([]);
  expect(locked.flatMap(([, { resolved }]) => resolved ?? [])).toEqual([]);
});
