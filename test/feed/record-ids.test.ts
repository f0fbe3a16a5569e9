import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { documentId, recordUuid } from '../../src/feed/records/record-schemas.ts';
import { fc } from '../support/properties.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const articleId = fc.string({ unit: fc.constantFrom(...letters), minLength: 10, maxLength: 10 });

describe('documentId', () => {
  it('keeps a lower-case id readable', () => {
    expect(documentId('4fq8d7s2ka', 'en')).toBe('a-4fq8d7s2ka-en');
    expect(documentId('4fq8d7s2ka', 'pt-BR')).toBe('a-4fq8d7s2ka-pt-br');
  });

  it('tells ids apart that differ in upper and lower case alone', { tags: 'property' }, () => {
    expect(documentId('4fQ8d7s2Ka', 'en')).not.toBe(documentId('4fq8d7s2ka', 'en'));
    fc.assert(
      fc.property(articleId, articleId, (one, other) => {
        expect(documentId(one, 'en') === documentId(other, 'en')).toBe(one === other);
      }),
    );
  });

  it('is accepted by every platform, however long the language tag', { tags: 'property' }, () => {
    fc.assert(
      fc.property(articleId, fc.constantFrom('en', 'zh-Hant-TW', `en-x-${'long-'.repeat(20)}`), (id, tag) => {
        expect(documentId(id, tag)).toMatch(/^[a-z][a-z0-9-]{0,46}$/);
      }),
    );
  });
});

describe('recordUuid', () => {
  it('is a version 5 UUID that never changes', () => {
    expect(recordUuid('a-4fq8d7s2ka-en')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    expect(recordUuid('a-4fq8d7s2ka-en')).toMatchInlineSnapshot(`"93cb844f-a6fb-5f38-baa1-1d934cb90fe8"`);
  });

  it('is made from the SHA-1 of namespace and id as RFC 9562 says', { tags: 'property' }, () => {
    const namespace = Buffer.from('6f0b7a5e3c4d4f0b9d3a1e8c52b7f4d1', 'hex');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (id) => {
        const bytes = createHash('sha1').update(namespace).update(id).digest().subarray(0, 16);
        bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
        bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
        expect(recordUuid(id).replaceAll('-', '')).toBe(bytes.toString('hex'));
        expect(recordUuid(id)).toMatch(/^\w{8}(?:-\w{4}){3}-\w{12}$/);
      }),
    );
  });
});
