import { describe, expect, it } from 'vitest';
import { recordHash, stateOf } from '../../src/feed/history/track-changes.ts';
import type { DocumentMeta } from '../../src/feed/records/document-meta.ts';
import { jsonLine } from '../../src/feed/records/json-lines.ts';
import { chunkRecord, documentRecord } from '../../src/feed/records/record-schemas.ts';
import { fc } from '../support/properties.ts';
import { entryMaker } from './support/add-document.ts';
import { documentOf } from './support/build-sample.ts';

const head: DocumentMeta = {
  id: 'a-aaaaaaaaaa-en',
  article_id: 'aaaaaaaaaa',
  language: 'en',
  title: 'Reset',
  url: 'https://help.example.com/en/article/aaaaaaaaaa/',
  tags: [],
};

describe('an entry', () => {
  it('survives the way through a thread: it is plain data, and so is its head', async () => {
    const entry = (await entryMaker())(head, documentOf('Text.\n'));
    expect(structuredClone(entry)).toEqual(entry);
    expect((await entryMaker())(structuredClone(head), documentOf('Text.\n'))).toEqual(entry);
  });

  it('is made of whole lines that are valid records, whatever the article says', {
    tags: 'property',
  }, async () => {
    const makeEntry = await entryMaker();
    const words = fc.constantFrom(
      'word ',
      '\n',
      '\n\n',
      '## ',
      '- ',
      '| a | b |\n',
      '```\n',
      '👍',
      '\ud83d',
      '"',
      '\u2028',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), (parts) => {
        const { facts, encoded, ...texts } = makeEntry(head, documentOf(parts.join('')));
        const [line, ...rest] = texts.document.split('\n');
        const document = documentRecord.parse(JSON.parse(line ?? ''));
        const chunks = texts.chunks
          .split('\n')
          .slice(0, -1)
          .map((chunk) => chunkRecord.parse(JSON.parse(chunk)));
        expect(rest).toEqual(['']);
        expect(texts.chunks === '' || texts.chunks.endsWith('\n')).toBe(true);
        expect(facts).toMatchObject({
          state: stateOf(document, recordHash(texts.document, texts.chunks)),
          tokens: document.tokens,
          chunks: chunks.length,
        });
        expect(Buffer.from(texts.document + texts.chunks + texts.text).equals(encoded.joined)).toBe(true);
        expect(texts.twin.endsWith(document.markdown)).toBe(true);
        expect(jsonLine(JSON.parse(line ?? ''))).toBe(`${line}\n`);
      }),
    );
  });

  it('has no credential in a link target, and the words of the author everywhere else', async () => {
    const makeEntry = await entryMaker();
    const markdown =
      'See [this](https://example.com/?token=hunter2) or `curl https://example.com/?token=TOKEN`.\n';
    const entry = makeEntry(head, documentOf(markdown));
    expect(JSON.stringify(entry)).not.toContain('hunter2');
    expect(entry.twin).toContain(
      'See [this](https://example.com/) or `curl https://example.com/?token=TOKEN`.',
    );
  });

  it('has its title in the Markdown copy without a backslash that Markdown does not need', async () => {
    const makeEntry = await entryMaker();
    const title = 'The Arduino_Sensorkit library [beta], <b> & *every* key';
    expect(makeEntry({ ...head, title }, documentOf('Text.\n')).twin).toContain(
      '\n# The Arduino_Sensorkit library [beta], \\<b> & *every\\* key\n',
    );
  });

  it('has its opening if the page has no description', async () => {
    const makeEntry = await entryMaker();
    expect(makeEntry(head, documentOf('Text.\n')).facts.description).toBe('Text.');
    expect(makeEntry(head, documentOf('—\n\nText.\n')).facts.description).toBe('Text.');
    expect(makeEntry({ ...head, description: 'About' }, documentOf('Text.\n')).facts.description).toBe(
      'About',
    );
  });
});
