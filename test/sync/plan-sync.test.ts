import { describe, expect, it } from 'vitest';
import { type Comparable, comparableOf, hashFieldsOf } from '../../src/sync/comparable.ts';
import { formatPlan, toUpdate } from '../../src/sync/format-plan.ts';
import { planSync } from '../../src/sync/plan-sync.ts';

const version = (title: string) => comparableOf('article', { title }, 'en');

const localRecord = (written: Comparable) => ({
  id: 'id',
  folder: 'f',
  written,
  withServiceBodies: () => written,
});

/** The outcome for one record, given its title in the folder, at the service, and when both last agreed. */
function outcomeOf(local: string | null, remote: string | null, base: string | null) {
  const entries = planSync({
    kind: 'article',
    agreed: base === null ? {} : { id: { service: hashFieldsOf(version(base)) } },
    local: local === null ? [] : [localRecord(version(local))],
    remote: new Map(remote === null ? [] : [['id', version(remote)]]),
  });
  return entries[0]?.outcome ?? 'nothing';
}

describe('planSync', () => {
  it.each([
    ['A', 'A', 'A', 'same'],
    ['A', 'A', null, 'same'],
    ['B', 'B', 'A', 'same'],
    ['A', null, null, 'local-new'],
    ['B', 'A', 'A', 'local-changed'],
    [null, 'A', 'A', 'local-deleted'],
    [null, 'A', null, 'remote-new'],
    ['A', 'B', 'A', 'remote-changed'],
    ['A', null, 'A', 'remote-deleted'],
    ['A', 'B', null, 'conflict'],
    ['A', 'B', 'C', 'conflict'],
    [null, 'B', 'A', 'conflict'],
    ['B', null, 'A', 'conflict'],
    [null, null, 'A', 'nothing'],
  ])('folder %s, service %s, last agreed %s: %s', (local, remote, base, outcome) => {
    expect(outcomeOf(local, remote, base)).toBe(outcome);
  });

  it('takes a slug that the folder does not say for the one the service made', () => {
    const local = [localRecord(version('A'))];
    const remote = new Map([['id', comparableOf('article', { title: 'A', slug: 'made' }, 'en')]]);
    expect(planSync({ kind: 'article', agreed: {}, local, remote })[0]?.outcome).toBe('same');
  });

  it('does not mind the order of languages and translations into the own language', () => {
    const de = { language_code: 'de', title: 'D' };
    const fr = { language_code: 'fr', title: 'F' };
    const own = { language_code: 'en', title: 'E' };
    expect(comparableOf('article', { title: 'A', multilingual: [fr, own, de] }, 'en')).toEqual(
      comparableOf('article', { title: 'A', multilingual: [de, fr] }, 'en'),
    );
  });
});

describe('formatPlan', () => {
  it('shows only the text around the difference of long values', () => {
    const start = 'word '.repeat(100);
    const plan = (local: string, remote: string) => {
      const written = comparableOf('article', { title: 'A', slug: 'a', body: local }, 'en');
      const other = comparableOf('article', { title: 'A', slug: 'a', body: remote }, 'en');
      const agreed = { id: { service: hashFieldsOf(other) } };
      const input = { kind: 'article', agreed, local: [localRecord(written)] } as const;
      return formatPlan(planSync({ ...input, remote: new Map([['id', other]]) }), 'service');
    };
    expect(plan(`${start}new`, `${start}old`)).toBe(
      '~ article id f "A"\n    body: …word word word word word word old" → …word word word word word word new"\n',
    );
    expect(plan(`x\n${start}new`, `x\n${start}old`)).toBe(
      '~ article id f "A"\n    body:\n      - …word word word word word word old\n      + …word word word word word word new\n',
    );
    expect(plan(`new ${start}`, `old ${start}`)).toContain(`"old ${'word '.repeat(19)}… → "new word`);
  });
});

describe('toUpdate', () => {
  it('sends the fields and languages that differ, and no others', () => {
    const before = comparableOf(
      'article',
      {
        title: 'A',
        body: '<p>1</p>',
        multilingual: [
          { language_code: 'de', title: 'D', body: '<p>d</p>' },
          { language_code: 'fr', title: 'F' },
          { language_code: 'it', title: 'I' },
        ],
      },
      'en',
    );
    const after = comparableOf(
      'article',
      {
        title: 'A',
        body: '<p>2</p>',
        multilingual: [
          { language_code: 'de', title: 'Neu', body: '<p>d</p>' },
          { language_code: 'it', title: 'I' },
          { language_code: 'ja', title: 'J' },
        ],
      },
      'en',
    );
    expect(toUpdate(before, after)).toEqual({
      body: '<p>2</p>',
      multilingual: [
        { language_code: 'de', title: 'Neu' },
        { language_code: 'fr', is_deleted: true },
        { language_code: 'ja', title: 'J', description: null, body: null, is_live: true },
      ],
    });
  });
});
