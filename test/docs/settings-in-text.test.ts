import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/core/config/load-config.ts';
import { configSchema } from '../../src/core/config/schema.ts';

const root = join(import.meta.dirname, '../..');
/** JSON in the text of platforms.md is that of vendors. */
const docs = readdirSync(join(root, 'docs')).filter((name) => /(?<!^platforms)\.md$/.test(name));
const pages = ['README.md', ...docs.map((name) => `docs/${name}`)];

/** Sections of the configuration, and the top level. A fragment in a sentence is written as it stands in one of them. */
const sections = [null, ...Object.keys(configSchema.shape)];

/** The names that the configuration has in any section, so that other JSON in a sentence is not taken for a setting. */
const names = new Set(
  [...readFileSync(join(root, 'docs/settings.md'), 'utf8').matchAll(/^- `([\w.]+)`/gm)].flatMap(
    ([, path = '']) => path.split('.'),
  ),
);

/** `"logo": "/logo.svg"` and `{ "site": … }` in the text of a page, without its blocks. */
function fragmentsOf(page: string): readonly { readonly text: string; readonly data: object }[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(/`(\{ ?)?("\w+":[^`…]*)`/g)].flatMap(([, brace, inside = '']) => {
    try {
      const data = JSON.parse(brace === undefined ? `{${inside}}` : `{${inside}`);
      return Object.keys(data).every((name) => names.has(name)) ? [{ text: inside, data }] : [];
    } catch {
      // Not JSON.
      return [];
    }
  });
}

function isAccepted(settings: unknown): boolean {
  try {
    parseSettings(settings, () => 'docs');
    return true;
  } catch {
    return false;
  }
}

describe('settings that a page names in a sentence', () => {
  it.each(pages)('are accepted where %s says', (page) => {
    const refused = fragmentsOf(page).filter(
      ({ data }) => !sections.some((name) => isAccepted(name === null ? data : { [name]: data })),
    );
    expect(refused.map(({ text }) => text)).toEqual([]);
  });

  it('are found, and refused in the wrong section', () => {
    expect(fragmentsOf('docs/site.md').length).toBeGreaterThan(1);
    expect(isAccepted({ site: { accent: '#123456' } })).toBe(false);
  });
});
