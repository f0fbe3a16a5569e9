import { join } from 'node:path';
import { expect } from 'vitest';
import { readBlocks } from '../../../docs/support/read-blocks.ts';
import { buildSample } from '../../../feed/support/build-sample.ts';
import { type MemoryOutput, recordLines } from '../../../feed/support/memory-output.ts';
import type { SampleArticle } from '../../../feed/support/sample-plan.ts';
import { servePublished } from './conformance.ts';

/** The reader in docs/chatbot-feed.md. */
export function readerInDocs(): string {
  const blocks = readBlocks(join(import.meta.dirname, '../../../../docs/chatbot-feed.md'));
  return blocks.filter((block) => block.language === 'js').at(-1)?.code ?? '';
}

/** A store as the readers keep it. */
type Articles = Record<
  string,
  { readonly document: { readonly id: string }; readonly chunks: readonly unknown[] }
>;

/**
 * Publishes thirty edits, with a restart, a lost output, and a language that is taken out and comes back; after each, the store equals a full
 * read and the published records.
 * @param run runs the reader for a store and returns its content
 */
export async function checkReader(run: (address: string, store: string) => Promise<Articles>): Promise<void> {
  const server = await servePublished();
  const articles = new Map<string, SampleArticle>();
  const write = (at: number, text: string) => {
    const page = {
      title: `Title ${text}`,
      markdown: `${text}\u2028\n\n## More\n\n${`${text}. `.repeat(60)}\n`,
    };
    const id = `article0${String(at).padStart(2, '0')}`;
    articles.set(id, { id, pages: { en: page, ...(at % 2 === 0 ? { de: page } : {}) } });
  };
  for (let at = 0; at < 12; at += 1) write(at, `First ${at}`);
  let previous: MemoryOutput | null = null;
  const sources = { changes: 0, everything: 0 };
  try {
    for (let step = 0; step < 30; step += 1) {
      if (step % 7 === 3) articles.delete(`article0${String(step % 12).padStart(2, '0')}`);
      else write(step % 12, `Step ${step}`);
      const languages = step === 10 || step === 11 ? ['en'] : ['en', 'de'];
      const isLost = step === 15 || step === 22;
      previous = await buildSample(
        { languages, articles: [...articles.values()] },
        {
          previous: isLost ? null : previous,
          newFeedId: (step < 15 ? 0 : step < 22 ? 1 : 2).toString().repeat(32),
        },
      );
      const published: MemoryOutput = previous;
      server.publish((path) => (published.paths().includes(path) ? published.text(path) : null));
      server.requests.length = 0;
      const address = step % 2 === 0 ? server.address : server.address.replace(/\/$/, '');
      const followed = await run(address, 'followed.json');
      sources[server.requests.some((path) => path.includes('documents.jsonl')) ? 'everything' : 'changes'] +=
        1;
      expect(followed).toEqual(await run(server.address, `full-${step}.json`));
      const lines = languages.flatMap((language) => recordLines(published, language, 'documents'));
      expect(Object.keys(followed).sort()).toEqual(
        lines.map((line) => (JSON.parse(line) as { id: string }).id).sort(),
      );
    }
    expect(sources.changes).toBeGreaterThan(20);
    expect(sources.everything).toBeGreaterThanOrEqual(3);
  } finally {
    await server.stop();
  }
}
