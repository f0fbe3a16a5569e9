import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import type { Document } from '../../src/content/document.ts';
import { endPlayers } from '../../src/content/parse/unclosed-players.ts';
import { transform } from '../../src/content/transform.ts';
import { everyNth } from '../support/properties.ts';
import { describeWithCorpora } from '../support/tools.ts';
import { findBlocks, parseBlocks } from './common-mark-blocks.ts';
import { type NamedBody, readBodies, readPayloads } from './corpora.ts';
import { ourOutline, plainOutline } from './outline.ts';
import { compareMarkdown } from './parity.ts';
import { findViolations } from './policy.ts';
import { settings } from './settings.ts';

describeWithCorpora('for every real body and every public payload', { timeout: 300_000 }, () => {
  /** Every body with what becomes of it, made once for all tests. */
  let bodies: readonly (NamedBody & { readonly document: Document })[];

  // Vitest also collects skipped tests: reading here, not in the describe, lets the suite pass without the corpora.
  beforeAll(() => {
    bodies = [...everyNth(3, readBodies()), ...readPayloads()].map((named) => ({
      ...named,
      document: transform(named.body, settings()),
    }));
  });

  it('sanitising twice gives the same result as sanitising once', () => {
    const changed = bodies.filter(({ document: { html } }) => transform(html, settings()).html !== html);
    expect(changed.map(({ name }) => name)).toEqual([]);
  });

  it('the page contains only allowed content', () => {
    const bad = bodies.flatMap(({ name, document }) =>
      findViolations(document.html).map((violation) => `${name} ${violation}`),
    );
    expect(bad).toEqual([]);
  });

  it('everything that an author wrote is published, or a problem says why not', () => {
    const lost = bodies.flatMap(({ name, body }) =>
      transform(body, settings({ isThorough: true }))
        .problems.filter(({ code }) => code === 'CONTENT_LOST')
        .map(({ message }) => `${name}: ${message}`),
    );
    expect(lost).toEqual([]);
  });

  it('the Markdown has the content of the page', () => {
    const differing = bodies.flatMap(({ name, document }) =>
      compareMarkdown(document).map((mismatch) => ({ name, ...mismatch })),
    );
    expect(differing).toEqual([]);
  });

  it('the blocks of the Markdown are those that a CommonMark parser finds', () => {
    const differing = bodies.filter(
      ({ document }) => !isDeepStrictEqual(findBlocks(document), parseBlocks(document.markdown)),
    );
    expect(differing.map(({ name }) => name)).toEqual([]);
  });

  it('parseBody builds the tree parse5 builds, but for players without an end, which only payloads have', () => {
    const differing = bodies.filter(
      ({ body }) => JSON.stringify(ourOutline(body)) !== JSON.stringify(plainOutline(endPlayers(body))),
    );
    expect(differing.map(({ name }) => name)).toEqual([]);
    const payloads = new Set(readPayloads().map(({ name }) => name));
    const ended = bodies.filter(({ name, body }) => !payloads.has(name) && endPlayers(body) !== body);
    expect(ended.map(({ name }) => name)).toEqual([]);
  });
});
