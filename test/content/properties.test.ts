import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { fc, runs } from '../support/properties.ts';
import { arbitraryBody, arbitraryText } from './arbitrary-body.ts';
import { compareMarkdown } from './parity.ts';
import { findViolations } from './policy.ts';
import { settings } from './settings.ts';

const anyBody = fc.oneof(arbitraryBody, arbitraryText);

const publish = (body: string): string => transform(body, settings()).html;

describe('whatever the body', () => {
  it('sanitising twice gives the same result as sanitising once', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const once = publish(body);
        expect(publish(once)).toBe(once);
      }),
      { numRuns: runs(400) },
    );
  });

  it('the page contains only allowed content', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(findViolations(publish(body))).toEqual([]);
      }),
      { numRuns: runs(400) },
    );
  });

  it('the Markdown has the content of the page', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(compareMarkdown(transform(body, settings()))).toEqual([]);
      }),
      { numRuns: runs(400) },
    );
  });

  it('Markdown has no backslash less than it needs', { tags: 'property' }, () => {
    const marks = '* ** *** _ __ ~ ~~ a b [ ] (y) ! &amp; amp; . \\ ` é 😀 編 : # x]'.split(' ');
    const elements = ['<b>x</b>', '<i>y</i>', '<s>z</s>', '<a href="/x">l</a>', '<br>', '<code>*</code>'];
    const pieces = fc.constantFrom(' ', ...marks, ...elements, '<b>', '</b>', '<i>', '</i>');
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 2, maxLength: 10 }), (body) => {
        expect(compareMarkdown(transform(`<p>${body.join('')}</p>`, settings()))).toEqual([]);
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
