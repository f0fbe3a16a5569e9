import { beforeAll, describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { fc, runs } from '../support/properties.ts';
import { describeWithCorpora } from '../support/tools.ts';
import { arbitraryBody, arbitraryText } from './arbitrary-body.ts';
import { type NamedBody, readBodies, readPayloads } from './corpora.ts';
import { compareMarkdown } from './parity.ts';
import { findViolations } from './policy.ts';
import { settings } from './settings.ts';

const anyBody = fc.oneof(arbitraryBody, arbitraryText);

const publish = (body: string): string => transform(body, settings()).html;

describe('whatever the body', () => {
  it('sanitising twice gives what sanitising once gives', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const once = publish(body);
        expect(publish(once)).toBe(once);
      }),
      { numRuns: runs(400) },
    );
  });

  it('the page holds nothing that is not allowed', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(findViolations(publish(body))).toEqual([]);
      }),
      { numRuns: runs(400) },
    );
  });

  it('the Markdown says what the page says', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(compareMarkdown(transform(body, settings()))).toEqual([]);
      }),
      { numRuns: runs(400) },
    );
  });

  it('the same body gives the same document', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(transform(body, settings())).toEqual(transform(body, settings()));
      }),
      { numRuns: runs(50) },
    );
  });

  it('noise does not make it throw', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (body) => {
        expect(publish(publish(body))).toBe(publish(body));
      }),
      { numRuns: runs(400) },
    );
  });
});

describeWithCorpora('for every real body and every public payload', { timeout: 300_000 }, () => {
  let bodies: readonly NamedBody[];

  // Vitest also collects skipped tests: reading here, not in the describe, lets the suite pass without the corpora.
  beforeAll(() => {
    bodies = [...readBodies(), ...readPayloads()];
  });

  it('sanitising twice gives what sanitising once gives', () => {
    const changed = bodies.filter(({ body }) => publish(publish(body)) !== publish(body));
    expect(changed.map(({ name }) => name)).toEqual([]);
  });

  it('the page holds nothing that is not allowed', () => {
    const bad = bodies.flatMap(({ name, body }) =>
      findViolations(publish(body)).map((violation) => `${name} ${violation}`),
    );
    expect(bad).toEqual([]);
  });

  it('the Markdown says what the page says', () => {
    const differing = bodies.flatMap(({ name, body }) =>
      compareMarkdown(transform(body, settings())).map((mismatch) => ({ name, ...mismatch })),
    );
    expect(differing).toEqual([]);
  });
});
