import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AskedSearch, AskReport, FoundArticle, Miss } from '../../consumers/ask/ask-questions.ts';
import type * as FindHits from '../../consumers/mcp/find-hits.ts';
import type { IndexedDocument, PassageIndex } from '../../consumers/mcp/passage-index.ts';
import { countOf } from '../../core/count-of.ts';
import { docsPage } from '../../core/docs-page.ts';
import { LecternError } from '../../core/errors.ts';
import { readFileOrNull } from '../../core/file-system.ts';
import { defineCommand, type FlagValues, usageError } from '../command.ts';
import { checkOf, readTrust, trustOptions } from '../feed-trust.ts';
import { interruptible } from '../interrupt.ts';
import { openSite } from '../read-config.ts';
import { writeOutput } from '../terminal.ts';

const options = {
  'min-hit3': {
    type: 'number',
    describe: 'Fail if fewer percent of the questions have their article among the first three',
  },
  ...trustOptions,
  config: { type: 'string', describe: 'Configuration file, read only for a URL' },
  json: { type: 'boolean', describe: 'Print the result as JSON' },
} as const;

/** `lectern feed ask`: measures how well the search of `lectern mcp` answers the user's own questions. */
export const askCommand = defineCommand({
  positionals: {
    questions: { describe: 'CSV or JSON lines: question, article (id or URL), language (optional)' },
    feed: { describe: 'Published folder, or URL of the published site (default dist)' },
  },
  options,
  examples: [
    ['lectern feed ask questions.csv', 'Ask the last build'],
    ['lectern feed ask questions.csv dist --min-hit3 85', 'Fail in CI if answers get worse'],
  ],
  run: runAsk,
});

async function runAsk(
  flags: FlagValues<typeof options> & { readonly questions: string; readonly feed: string | undefined },
): Promise<void> {
  const least = flags['min-hit3'] ?? 0;
  if (!(least >= 0 && least <= 100))
    throw usageError('--min-hit3 is a percentage', 'pass a number from 0 to 100');
  const { parseQuestions } = await import('../../consumers/ask/read-questions.ts');
  const { askQuestions } = await import('../../consumers/ask/ask-questions.ts');
  const search = await import('../../consumers/mcp/find-hits.ts');
  const { openHelpIndex } = await import('../../consumers/mcp/help-index.ts');
  const folder = process.cwd();
  const content = readFileOrNull(resolve(folder, flags.questions));
  if (content === null) {
    throw usageError(
      `the file ${flags.questions} does not exist`,
      `pass a file of questions, as ${docsPage('commands.md')} shows`,
    );
  }
  const questions = parseQuestions(content.toString('utf8'), flags.questions);
  const feed = flags.feed ?? 'dist';
  const trust = await readTrust(flags, feed);
  // An index of its own: what is measured is this feed, and no earlier one.
  const temporary = mkdtempSync(join(tmpdir(), 'lectern-ask-'));
  const report = await interruptible(async (signal) => {
    const site = await openSite(feed, flags.config, signal);
    const check = await checkOf(trust, site.read);
    const file = join(temporary, 'feed.db');
    const help = await openHelpIndex(site, { file, check, signal, now: Date.now });
    try {
      await help.load();
      return await help.answer((index) => askQuestions(questions, searchIn(index, search), flags.questions));
    } finally {
      help.close();
      await site.close();
    }
  }).finally(() => rmSync(temporary, { recursive: true, force: true }));
  writeOutput(flags.json ? `${JSON.stringify(report)}\n` : formatReport(report));
  if (report.hit3 < least) {
    throw new LecternError('HIT_RATE_LOW', `hit@3 is ${percent(report.hit3)}, below ${least}%`, {
      hint: 'look at the misses: titles and headings that use the words of the question help most',
    });
  }
}

/** More passages than ten articles have in the results. */
const mostPassages = 20;

/** The search of `lectern mcp`. */
function searchIn(index: PassageIndex, { findHits, findDocument }: typeof FindHits): AskedSearch {
  return {
    async search(query, language) {
      const found: FoundArticle[] = [];
      for await (const { document } of findHits(index, query, language)) {
        found.push(describe(document));
        if (found.length === mostPassages) break;
      }
      return found;
    },
    find(idOrUrl, language) {
      const document = findDocument(index, idOrUrl, language);
      return document === null || (language !== null && document.language !== language)
        ? null
        : describe(document);
    },
  };
}

function describe({ articleId, title, url }: IndexedDocument): FoundArticle {
  return { articleId, title, url };
}

function formatReport({ questions, hit1, hit3, mrr, misses }: AskReport): string {
  const summary = `${countOf(questions, 'question')}: hit@1 ${percent(hit1)}, hit@3 ${percent(hit3)}, MRR ${mrr.toFixed(3)}`;
  return `${[...misses.map(formatMiss), summary].join('\n')}\n`;
}

function formatMiss({ line, question, expected, rank, found }: Miss): string {
  const place = rank === null ? 'not in the first ten' : `number ${rank}`;
  const titles = (articles: readonly FoundArticle[]) =>
    articles.map(({ articleId, title }) => `${title} (${articleId})`).join(', ') || 'nothing';
  return [
    `line ${line}: ${question}`,
    `  expected ${titles(expected)}: ${place}`,
    `  found    ${titles(found)}`,
  ].join('\n');
}

function percent(value: number): string {
  return `${value.toFixed(1)}%`;
}
