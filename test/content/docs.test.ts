import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { attributePolicy } from '../../src/content/policy/attributes.ts';
import { elementPolicy } from '../../src/content/policy/elements.ts';

const page = readFileSync(new URL('../../docs/content.md', import.meta.url), 'utf8');

/** `names`, separated by spaces, as code. */
function cell(names: string): string {
  return names
    .split(' ')
    .map((name) => `\`${name}\``)
    .join(' ');
}

const rows = new Set(page.split('\n'));

describe('docs/content.md', () => {
  it('names every row of the element policy that changes or removes elements, and what happens to them', () => {
    const isChanged = (outcome: string) =>
      !/^(?:kept(?:;.*| unless empty| between text)?|unwrapped.*)$/.test(outcome);
    const expected = elementPolicy
      .filter(({ outcome }) => isChanged(outcome))
      .map(({ names, outcome }) => `- ${cell(names)}: ${outcome}`);
    expect(expected.length).toBeGreaterThan(12);
    expect(expected.filter((row) => !rows.has(row))).toEqual([]);
  });

  it('names every row of the attribute policy and the elements it applies to', () => {
    const expected = attributePolicy.map(({ name, on }) =>
      on === '*' ? cell(name) : `${cell(name)} (${cell(on)})`,
    );
    const [, list = ''] = /^Attributes kept: (.*?)(?:\.|;|\n\n)/ms.exec(page) ?? [];
    const named = list.split(/,\s+(?:and\s+)?|\s+and\s+/);
    expect(expected.filter((text) => !named.includes(text))).toEqual([]);
  });
});
