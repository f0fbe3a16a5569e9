import { type Asset, fingerprint } from './assets.ts';

/** A script without comments that fill whole lines, so that what explains the code is not sent to every reader. */
export function stripComments(script: string): string {
  return script
    .replace(/^[ \t]*\/\*[\s\S]*?\*\/[ \t]*\n/gm, '')
    .replace(/^[ \t]*\/\/.*\n?/gm, '')
    .replace(/^[ \t]+/gm, '')
    .replace(/\n{2,}/g, '\n');
}

/**
 * Fingerprints scripts that name each other (`'./tokens.js'` in an import, a worker's URL): the name is replaced by the
 * hashed one, so a change in one script renames every script that loads it.
 */
export function linkScripts(scripts: ReadonlyMap<string, string>): readonly Asset[] {
  const assets = new Map<string, Asset>();
  const link = (name: string, path: readonly string[]): Asset | undefined => {
    const known = assets.get(name);
    const script = scripts.get(name);
    if (known !== undefined || script === undefined) return known;
    if (path.includes(name)) throw new Error(`scripts load each other: ${[...path, name].join(' → ')}`);
    const linked = script.replace(/'\.\/([\w-]+\.js)'/g, (whole, other: string) => {
      const asset = link(other, [...path, name]);
      return asset === undefined ? whole : `'./${asset.path.slice('assets/'.length)}'`;
    });
    const asset = fingerprint(name, linked);
    assets.set(name, asset);
    return asset;
  };
  for (const name of [...scripts.keys()].sort()) link(name, []);
  return [...assets.values()];
}
