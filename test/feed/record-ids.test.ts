import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type ChunkRecord,
  type DocumentRecord,
  documentId,
  recordUuid,
} from '../../src/feed/records/record-schemas.ts';
import { recordsIn } from '../support/feed-records.ts';
import { fc } from '../support/properties.ts';
import { buildSample } from './support/build-sample.ts';

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

describe('chunk ids', () => {
  /** The key of a chunk at the start of a section. */
  function keyOf(headings: DocumentRecord['headings'], anchor: string | undefined): string {
    const path: { level: number; text: string }[] = [];
    for (const { level, id, text } of anchor === undefined ? [] : headings) {
      while ((path.at(-1)?.level ?? 0) >= level) path.pop();
      path.push({ level, text: text.length > 200 ? `${text.slice(0, 199)}…` : text });
      if (id === anchor) break;
    }
    const digest = createHash('sha256').update(path.map(({ text }) => text).join('\0'));
    return BigInt(`0x${digest.digest('hex').slice(0, 16)}`)
      .toString(36)
      .padStart(8, '0')
      .slice(-8);
  }

  it('are made of the headings above, also of headings that follow each other and of long ones', async () => {
    const long = 'A heading that is longer than the two hundred characters of a name '.repeat(4).trim();
    const paragraph = 'Some words about a locker. '.repeat(40);
    const markdown = ['## One', '### Two', '#### Three', paragraph, `## ${long}`, '### Four', paragraph].join(
      '\n\n',
    );
    const output = await buildSample({
      languages: ['en'],
      articles: [{ id: 'aaaaaaaaaa', pages: { en: { title: 'T', markdown } } }],
    });
    const [document] = recordsIn<DocumentRecord>(output.text('feed/en/documents.jsonl'));
    const chunks = recordsIn<ChunkRecord>(output.text('feed/en/chunks.jsonl'));
    expect(chunks.map(({ heading_path }) => heading_path?.length)).toEqual([3, 2]);
    for (const { id, document_id, url } of chunks) {
      const anchor = decodeURIComponent(url.split('#')[1] ?? '');
      expect(id).toBe(`${document_id}-${keyOf(document?.headings ?? [], anchor)}`);
    }
  });
});
