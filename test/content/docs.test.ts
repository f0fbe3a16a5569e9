import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { attributePolicy } from '../../src/content/policy/attributes.ts';
import { elementPolicy } from '../../src/content/policy/elements.ts';

const page = readFileSync(new URL('../../docs/content.md', import.meta.url), 'utf8');

/** Whether a line of the page is a table row with these names first and this reason last. */
function hasRow(names: string, reason: string): boolean {
  const first = `| ${names
    .split(' ')
    .map((name) => `\`${name}\``)
    .join(' ')} |`;
  return page.split('\n').some((line) => line.startsWith(first) && line.endsWith(`| ${reason} |`));
}

describe('docs/content.md', () => {
  it('names every row of the element policy with its reason', () => {
    expect(
      elementPolicy.filter(({ names, reason }) => !hasRow(names, reason)).map(({ names }) => names),
    ).toEqual([]);
  });

  it('names every row of the attribute policy with its reason', () => {
    expect(
      attributePolicy.filter(({ name, reason }) => !hasRow(name, reason)).map(({ name }) => name),
    ).toEqual([]);
  });
});
