/**
 * Speed of the content stage on one core, part by part, with other tools on the same bodies in the same run:
 *
 *     npm run bench:build && node .bench/bench/content.js [--rounds 5] FILE.json…
 *
 * FILE.json is an export (`{articles: […]}`). Megabytes are those of the author's bodies in UTF-8; the figures are of the
 * best round by processor time, so that other work on the machine does not count.
 */
import { parseArgs } from 'node:util';
import { parseFragment } from 'parse5';
import sanitizeHtml from 'sanitize-html';
import TurndownService from 'turndown';
import { parseBody } from '../src/content/parse/parse-body.ts';
import { transform } from '../src/content/transform.ts';
import { cleanBody } from '../src/content/tree/clean-body.ts';
import { assignHeadingIds } from '../src/content/tree/headings.ts';
import { writeHtml } from '../src/content/write/author-html.ts';
import { writeMarkdown } from '../src/content/write/write-markdown.ts';
import { writeText } from '../src/content/write/write-text.ts';
import { bodySettings, readBodies } from './bodies.ts';

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const bodies = positionals
  .flatMap((file) => readBodies(file).map(({ html }) => html))
  .filter((html) => html !== '');
const megabytes = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0) / 1e6;
const turndown = new TurndownService();

/** Measured functions; each processes one body. */
const parts: Readonly<Record<string, (body: string) => unknown>> = {
  'parse5 alone': (body) => parseFragment(body),
  'our parse': parseBody,
  'our parse, sanitised tree': (body) => cleanBody(body, bodySettings),
  'safe HTML + text + links': (body) => {
    const { root } = cleanBody(body, bodySettings);
    return [writeHtml(root), writeText(root)];
  },
  'Markdown alone': (body) => {
    const { root, anchored, context } = cleanBody(body, bodySettings);
    assignHeadingIds(context.headings, anchored, { sourceHeadingIds: null });
    return writeMarkdown(root, { reader: 'site', urlFor: (url) => url });
  },
  'whole stage (transform)': (body) => transform(body, bodySettings),
  'sanitize-html (sanitising only)': (body) => sanitizeHtml(body),
  'turndown (Markdown only)': (body) => turndown.turndown(body),
};

const best = new Map<string, number>();
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [name, run] of Object.entries(parts)) {
    const before = process.cpuUsage();
    for (const body of bodies) run(body);
    const { user, system } = process.cpuUsage(before);
    best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, (user + system) / 1e6));
  }
}
console.log(`${bodies.length} bodies, ${megabytes.toFixed(1)} MB, Node ${process.versions.node}\n`);
console.log('| part | articles/s | MB/s |\n|---|--:|--:|');
for (const [name, seconds] of best) {
  console.log(`| ${name} | ${(bodies.length / seconds).toFixed(0)} | ${(megabytes / seconds).toFixed(1)} |`);
}
