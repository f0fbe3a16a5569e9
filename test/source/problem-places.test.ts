import { expect, it } from 'vitest';
import { problem } from '../../src/core/problems.ts';
import { createPlaces } from '../../src/source/problem-places.ts';

it('finds the line of a link, also where the name of its file is in an earlier line', () => {
  const text =
    '---\naliases:\n  - How to/Internal link\n---\nA\n\nSee [[Example|this]] and ![[pic.png]].\n\n[b](b.md)\n';
  const placeOf = createPlaces(
    {
      knowledgeBase: { articles: [], categories: [] } as never,
      fileOf: () => null,
    },
    () => text,
    () => null,
  );
  const file = 'docs/Linking/Internal links.md';
  const linesOf = [
    'the link [[Example|this]] names no file in Linking/Internal links.md',
    'the link ![[pic.png]] is ambiguous: a/pic.png or b/pic.png in Linking/Internal links.md',
    'the link "b.md" in Linking/Internal links.md points to a file that does not exist',
  ].map((message) => placeOf(problem('LINK_BROKEN', message, { file })).line);
  expect(linesOf).toEqual([7, 7, 9]);
});
