import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens as library } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, expect, it } from 'vitest';
import { safeTitle, safeUrl } from '../../src/feed/llms/llms-sections.ts';
import { type ChunkRecord, chunkRecord, type DocumentRecord } from '../../src/feed/records/record-schemas.ts';
import { loadTokenCounter } from '../../src/feed/tokens/count-tokens.ts';
import { verifyFeed } from '../../src/feed/verify/verify-feed.ts';
import { twinAddress } from '../../src/site/plan/page-url.ts';
import { everyNth } from '../support/properties.ts';
import { corporaFolder, describeWithCorpora } from '../support/tools.ts';
import { type BuiltCorpus, buildCorpus, type Corpus } from './support/build-corpus.ts';
import { readerOf, recordsOf } from './support/memory-output.ts';
import { parseLlmsTxt } from './support/parse-llms-txt.ts';

const countTokens = await loadTokenCounter();
const asText = { disallowedSpecial: new Set<string>() };

describeWithCorpora.each(everyNth(3, ['opensource-guide', 'login-gov-help', 'arduino-help']))(
  'the feed of %s',
  (name) => {
    let built: BuiltCorpus;
    let chunks: readonly ChunkRecord[];

    beforeAll(async () => {
      built = await buildCorpus(
        JSON.parse(readFileSync(join(corporaFolder, `${name}.json`), 'utf8')) as Corpus,
      );
      chunks = built.plan.languages.flatMap(({ tag }) =>
        recordsOf(built.output, tag, 'chunks').map((chunk) => chunkRecord.parse(chunk)),
      );
    });

    it('keeps every promise that verification knows', async () => {
      const { output, plan } = built;
      const { findings, documents } = await verifyFeed(readerOf(output));
      expect(findings).toEqual([]);
      expect(documents).toBe(plan.languages.reduce((sum, { articleIds }) => sum + articleIds.length, 0));
    });

    it('counts the tokens of every document and chunk as the library of the encoding does', () => {
      const { output, plan } = built;
      const documents = plan.languages.flatMap(({ tag }) =>
        recordsOf<DocumentRecord>(output, tag, 'documents'),
      );
      for (const { id, tokens, markdown } of documents) expect(library(markdown, asText), id).toBe(tokens);
      for (const { id, tokens, text } of chunks) expect(library(text, asText), id).toBe(tokens);
    });

    it('has chunks of the size that retrieval needs: none over the hard maximum, 19 of 20 within the soft one', () => {
      const { output, plan } = built;
      const documents = plan.languages.flatMap(({ tag }) =>
        recordsOf<DocumentRecord>(output, tag, 'documents'),
      );
      const markdownOf = new Map(documents.map(({ id, markdown }) => [id, markdown]));
      const tokens = chunks.map(({ document_id, start, end }) =>
        countTokens(markdownOf.get(document_id)?.slice(start, end) ?? ''),
      );
      const counts = new Map<string, number>();
      for (const { document_id } of chunks) counts.set(document_id, (counts.get(document_id) ?? 0) + 1);
      expect(Math.max(...tokens)).toBeLessThanOrEqual(800);
      expect(tokens.filter((count) => count > 512).length / tokens.length).toBeLessThan(0.05);
      // What is in no chunk parts its neighbours.
      const parted = new Set(gapsOf(documents, chunks).map(([id]) => id));
      const small = chunks.filter(
        ({ document_id }, at) =>
          (tokens[at] ?? 0) < 80 && (counts.get(document_id) ?? 0) > 1 && !parted.has(document_id),
      );
      expect(small.length / chunks.length).toBeLessThan(0.005);
    });

    it('has every word in a chunk, except lists of links with the heading or the short line above', () => {
      const { output, plan } = built;
      const documents = plan.languages.flatMap(({ tag }) =>
        recordsOf<DocumentRecord>(output, tag, 'documents'),
      );
      const lines = gapsOf(documents, chunks).flatMap(([, gap]) => gap.replaceAll(/\\\n/g, ' ').split('\n'));
      const isLink = (line: string) => /^ *(?:-|\d+\.) .*\[.*\]\([^()\s]*\)\**\.?$/.test(line);
      const isIntro = (line: string) => /^(?:#{2,6} |___$| *- \*\*)/.test(line) || line.length <= 40;
      expect(lines.filter((line) => !isLink(line) && !isIntro(line))).toEqual([]);
    });

    it('gives every chunk a breadcrumb and an anchor that its document lists', () => {
      const { output, plan } = built;
      for (const { tag } of plan.languages) {
        const anchors = new Map(
          recordsOf<DocumentRecord>(output, tag, 'documents').map(({ id, headings }) => [
            id,
            new Set(headings.map((heading) => heading.id)),
          ]),
        );
        for (const chunk of chunks.filter(({ language }) => language === tag)) {
          expect(chunk.text.startsWith(chunk.title)).toBe(true);
          const [, anchor] = chunk.url.split('#');
          if (anchor !== undefined)
            expect(anchors.get(chunk.document_id)?.has(decodeURIComponent(anchor))).toBe(true);
        }
      }
      const under = chunks.filter(({ heading_path }) => heading_path !== undefined);
      expect(under.filter(({ url }) => !url.includes('#'))).toEqual([]);
    });

    it('has llms.txt files in which the reference parser finds every article of every language, once', () => {
      const { plan, output } = built;
      for (const { tag, articleIds } of plan.languages) {
        const folder = plan.languages.length === 1 ? '' : `${tag}/`;
        const files = output
          .paths()
          .filter((path) => path === `${folder}llms.txt` || path.startsWith(`${folder}llms/`));
        const links = files.flatMap((path) => {
          const text = output.text(path);
          expect(text.length).toBeLessThanOrEqual(50_000);
          const { sections } = parseLlmsTxt(text);
          return [...sections].flatMap(([section, found]) =>
            section === 'Optional' || section === 'Categories' ? [] : found,
          );
        });
        const planned = articleIds.map((id) => {
          const page = plan.articles.get(id)?.pages.get(tag);
          return [
            safeTitle(page?.title ?? ''),
            safeUrl(page === undefined ? '' : twinAddress(plan, page).url),
          ];
        });
        expect(links.map(({ title, url }) => [title, url]).sort()).toEqual(planned.sort());
      }
      expect(parseLlmsTxt(output.text('llms.txt')).sections.get('Languages')).toHaveLength(
        plan.languages.length,
      );
    });
  },
);

/** The text of each document that is in none of its chunks, piece by piece, with the id of the document. */
function gapsOf(
  documents: readonly DocumentRecord[],
  chunks: readonly ChunkRecord[],
): readonly (readonly [id: string, gap: string])[] {
  const ranges = new Map(documents.map(({ id }) => [id, [] as ChunkRecord[]]));
  for (const chunk of chunks) ranges.get(chunk.document_id)?.push(chunk);
  return documents.flatMap(({ id, markdown }) => {
    const own = ranges.get(id) ?? [];
    const starts = [...own.map(({ start }) => start), markdown.length];
    const gaps = starts.map((start, at) => markdown.slice(own[at - 1]?.end ?? 0, start).trim());
    return gaps.filter((gap) => gap !== '').map((gap) => [id, gap] as const);
  });
}
