import { describe, expect, it } from 'vitest';
import { keysOfPath, keysOfSlug } from '../../../src/core/hidden-names.ts';
import { createHiddenFinder } from '../../../src/site/links/hidden-records.ts';

const id = '9Xq2LayOff';
const keys = [
  ...['reset-password', 'how-to-move-the-office', 'start'].flatMap(keysOfSlug),
  ...['plans/plan-2027.md', 'readme.md', 'start.md'].flatMap(keysOfPath),
];
const finder = createHiddenFinder({
  hosts: [],
  siteUrl: 'https://help.example.com/docs',
  excluded: new Map([
    [id, 'draft'],
    ['management', 'draft'],
  ]),
  hiddenNames: new Map(keys.map((key) => [key, id])),
  hasZendeskUrls: false,
});
const found = (text: string) => finder.locate(text, 'words').map(({ start, end }) => text.slice(start, end));

describe('a hidden record', () => {
  it.each([
    [`See ${id}.`, id],
    ['Ask how-to-move-the-office, please.', 'how-to-move-the-office'],
    ['Open `plan-2027.md`.', 'plan-2027.md'],
    ['At https://help.example.com/docs/start/.', 'https://help.example.com/docs/start/'],
    ['At help.example.com/docs/en/reset-password', 'help.example.com/docs/en/reset-password'],
    ['At https://x.example/article/management!', 'https://x.example/article/management'],
  ])('is named by %j', (text, word) => {
    expect(found(text)).toEqual([word]);
  });

  it.each([
    'Start to reset-password for the management, or read README.md and start.md.',
    'Our start is at https://help.example.com/blog/start/ or https://other.example.com/docs/start/.',
    'Mail to start@help.example.com, see https://help.example.com/docs/ and /start/.',
    'A hash: 9Xq2LayOff9Xq2LayOff00.',
  ])('is not named by the words of %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('is named in a report by its id only', () => {
    const address = 'https://help.example.com/docs/article/9Xq2LayOff-secret';
    expect(finder.mask(`the link "${address}" is old`)).toBe(`the link "${id}" is old`);
  });
});
