import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { describeWithCorpora } from '../support/tools.ts';
import { findBlocks, parseBlocks } from './common-mark-blocks.ts';
import { type NamedBody, readBodies, readPayloads } from './corpora.ts';
import { ourOutline, plainOutline } from './outline.ts';
import { compareMarkdown } from './parity.ts';
import { findViolations } from './policy.ts';
import { settings } from './settings.ts';

const publish = (body: string): string => transform(body, settings()).html;

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

  it('the blocks of the Markdown are those that a CommonMark parser finds', () => {
    const differing = bodies.filter(({ body }) => {
      const document = transform(body, settings());
      return !isDeepStrictEqual(findBlocks(document), parseBlocks(document.markdown));
    });
    expect(differing.map(({ name }) => name)).toEqual([]);
  });

  it('parseBody builds the tree parse5 builds', () => {
    const differing = bodies.filter(
      ({ body }) => JSON.stringify(ourOutline(body)) !== JSON.stringify(plainOutline(body)),
    );
    expect(differing.map(({ name }) => name)).toEqual([]);
  });
});
