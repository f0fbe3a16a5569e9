import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { describeWithCorpora } from '../support/tools.ts';
import { arbitraryBody } from './arbitrary-body.ts';
import { readBodies, readPayloads } from './corpora.ts';
import { compareMarkdown } from './parity.ts';
import { findViolations } from './policy.ts';
import { settings } from './settings.ts';

const publish = (body: string): string => transform(body, settings()).html;

describe('whatever the body', () => {
  it('sanitising twice gives what sanitising once gives', () => {
    fc.assert(
      fc.property(arbitraryBody, (body) => {
        const once = publish(body);
        expect(publish(once)).toBe(once);
      }),
      { numRuns: 400 },
    );
  });

  it('the page holds nothing that is not allowed', () => {
    fc.assert(
      fc.property(arbitraryBody, (body) => {
        expect(findViolations(publish(body))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('the Markdown says what the page says', () => {
    fc.assert(
      fc.property(arbitraryBody, (body) => {
        expect(compareMarkdown(transform(body, settings()))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('the same body gives the same document', () => {
    fc.assert(
      fc.property(arbitraryBody, (body) => {
        expect(transform(body, settings())).toEqual(transform(body, settings()));
      }),
      { numRuns: 50 },
    );
  });

  it('noise does not make it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (body) => {
        expect(publish(publish(body))).toBe(publish(body));
      }),
      { numRuns: 400 },
    );
  });
});

describeWithCorpora('for every real body and every public payload', { timeout: 300_000 }, () => {
  const bodies = [...readBodies(), ...readPayloads()];

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
