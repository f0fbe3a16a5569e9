import { hash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { z } from '../schema.ts';
import { hashSchema, idSchema } from './document-record.ts';
import { type DocumentState, documentState } from './document-state.ts';

/** What a run left of the documents of one language: they follow from `documents.jsonl`, and reading them costs more. */
export interface RememberedDocuments {
  /** SHA-256 of `documents.jsonl`, hex. */
  readonly sha256: string;
  /** By document id, in the order of the file. */
  readonly documents: ReadonlyMap<string, DocumentState>;
}

/** By language. */
export type RememberedFeed = ReadonlyMap<string, RememberedDocuments>;

/** Keeps the documents of one feed from run to run. */
export interface FeedMemory {
  /** What the last run remembered; empty when there is nothing that can be trusted. */
  recall(): RememberedFeed;
  /** Takes the place of what was remembered; a memory that cannot be written costs the next run time alone. */
  remember(feed: RememberedFeed): void;
}

const fileName = 'last-feed.json';

const headSchema = z.strictObject({
  format: z.literal('lectern-last-feed'),
  /** What made the states; those of another version of the program are not trusted. */
  engine: z.string(),
  /** SHA-256 of the second line. */
  sha256: hashSchema,
});

const languageSchema = z.strictObject({
  language: z.string(),
  sha256: hashSchema,
  documents: z.array(z.tuple([idSchema, documentState])),
});

/**
 * A memory in a file of two lines: a head, then the languages. What is damaged or of another engine is forgotten.
 * @param folder absolute path of the cache folder
 * @param engine version of everything that makes a feed
 */
export function openFeedMemory(folder: string, engine: string): FeedMemory {
  const file = join(folder, fileName);
  return {
    recall() {
      try {
        return parseMemory(readFileSync(file, 'utf8'), engine);
      } catch {
        return new Map();
      }
    },
    remember(feed) {
      const partial = `${file}.${process.pid}.partial`;
      try {
        makeFolder(folder);
        writeFileSync(partial, formatMemory(feed, engine));
        renameSync(partial, file);
      } catch {
        return;
      }
    },
  };
}

function formatMemory(feed: RememberedFeed, engine: string): string {
  const languages = [...feed].map(([language, { sha256, documents }]) => ({
    language,
    sha256,
    documents: [...documents],
  }));
  const body = JSON.stringify(languages);
  const head = { format: 'lectern-last-feed', engine, sha256: hash('sha256', body) };
  return `${JSON.stringify(head)}\n${body}\n`;
}

/** Throws when it is not what {@link formatMemory} of the same engine wrote. */
function parseMemory(text: string, engine: string): RememberedFeed {
  const [first = '', body = ''] = text.split('\n', 2);
  const head = headSchema.parse(JSON.parse(first));
  if (head.engine !== engine || head.sha256 !== hash('sha256', body)) throw new Error('it is not trusted');
  return new Map(
    z
      .array(languageSchema)
      .parse(JSON.parse(body))
      .map(({ language, sha256, documents }) => [language, { sha256, documents: new Map(documents) }]),
  );
}
