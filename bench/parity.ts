/**
 * Renders the Markdown of every article in the given knowledge bases and compares it with the article's page: headings,
 * list depth, table rows × columns, code, link targets, images and all visible text. Ends with 1 if any differs.
 *
 *     npm run bench:build && node .bench/bench/parity.js FILE.json…
 */
import { basename } from 'node:path';
import { transform } from '../src/content/transform.ts';
import { compareMarkdown } from '../test/content/parity.ts';
import { bodySettings, readBodies } from './bodies.ts';

for (const file of process.argv.slice(2)) {
  const bodies = readBodies(file).map(({ name, html }) => ({
    name,
    mismatches: compareMarkdown(transform(html, bodySettings)),
  }));
  const differing = bodies.filter(({ mismatches }) => mismatches.length > 0);
  const equal = bodies.length - differing.length;
  const share = ((equal / Math.max(1, bodies.length)) * 100).toFixed(2);
  console.log(`${basename(file)}: parity 1.0 in ${equal} of ${bodies.length} bodies (${share} %)`);
  for (const { name, mismatches } of differing) {
    process.exitCode = 1;
    for (const { feature, page, markdown } of mismatches) {
      console.log(
        `  ${name} ${feature}\n    page     ${JSON.stringify(page)}\n    Markdown ${JSON.stringify(markdown)}`,
      );
    }
  }
}
