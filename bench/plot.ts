import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Cost } from './measure.ts';
import type { BenchResults } from './results.ts';

/**
 * `npm run bench:plot -- --out FILE.svg [--only TEXT …] RESULT.json …`: draws wall time and peak memory against article
 * pages, one line per contestant, from what `npm run bench -- --json` wrote for several sizes. `--only` takes the
 * contestants whose names contain one of the texts.
 */
const { values, positionals } = parseArgs({
  options: {
    out: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});
const panelWidth = 480;
const left = 70;
const top = 40;
const plotWidth = panelWidth - left - 30;
const plotHeight = 320;

const colours = [
  '#4477aa',
  '#ee6677',
  '#228833',
  '#ccbb44',
  '#66ccee',
  '#aa3377',
  '#bb5500',
  '#555555',
  '#009988',
];

if (values.out === undefined || positionals.length === 0) throw new Error('--out or the results are missing');
const results = positionals.map((file) => JSON.parse(readFileSync(file, 'utf8')) as BenchResults);
writeFileSync(values.out, draw(results));

interface Point {
  readonly x: number;
  readonly y: number;
}

/** One contestant over all sizes. */
interface Line {
  readonly name: string;
  readonly points: readonly Point[];
}

interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
  /** How a value of the vertical axis is written. */
  readonly print: (value: number) => string;
}

function draw(all: readonly BenchResults[]): string {
  const sorted = [...all].sort((a, b) => a.pages - b.pages);
  const names = [...new Set(sorted.flatMap(({ contestants }) => contestants.map(({ name }) => name)))].filter(
    (name) => values.only.length === 0 || values.only.some((text) => name.includes(text)),
  );
  const lines = (measure: (cost: Cost) => number): readonly Line[] =>
    names.map((name) => ({
      name,
      points: sorted.flatMap(({ pages, contestants }) =>
        contestants
          .filter((each) => each.name === name)
          .map(({ median }) => ({ x: pages, y: measure(median) })),
      ),
    }));
  const panels: readonly Panel[] = [
    { title: 'Wall time', lines: lines(({ wallMs }) => wallMs / 1000), print: (value) => `${value} s` },
    { title: 'Peak memory', lines: lines(({ peakMb }) => peakMb), print: (value) => `${value} MB` },
  ];
  const { node, cores } = sorted[0]?.machine ?? { node: '', cores: 0 };
  const height = top + plotHeight + 60 + names.length * 18;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${2 * panelWidth}" height="${height}" font-family="sans-serif" font-size="12">`,
    '<title>Wall time and peak memory of builds against article pages</title>',
    `<rect width="100%" height="100%" fill="white"/>`,
    ...panels.flatMap((panel, at) => drawPanel(panel, at * panelWidth)),
    ...names.flatMap((name, at) => drawLegend(name, at, top + plotHeight + 52 + at * 18)),
    `<text x="${2 * panelWidth - 20}" y="${height - 10}" text-anchor="end" fill="#666">Node ${node}, ${cores} cores</text>`,
    '</svg>\n',
  ].join('\n');
}

/** Both axes are logarithmic: sizes and times span several powers of ten. */
function drawPanel({ title, lines, print }: Panel, offset: number): readonly string[] {
  const points = lines.flatMap((line) => line.points);
  const xTicks = ticks(points.map(({ x }) => x));
  const yTicks = ticks(points.map(({ y }) => y));
  const xOf = scale(xTicks, offset + left, offset + left + plotWidth);
  const yOf = scale(yTicks, top + plotHeight, top);
  return [
    `<text x="${offset + left}" y="24" font-size="15" font-weight="bold">${title}</text>`,
    ...yTicks.flatMap((tick) => [
      `<line x1="${offset + left}" x2="${offset + left + plotWidth}" y1="${yOf(tick)}" y2="${yOf(tick)}" stroke="#ddd"/>`,
      `<text x="${offset + left - 8}" y="${yOf(tick) + 4}" text-anchor="end">${print(tick)}</text>`,
    ]),
    ...xTicks.flatMap((tick) => [
      `<line x1="${xOf(tick)}" x2="${xOf(tick)}" y1="${top}" y2="${top + plotHeight}" stroke="#ddd"/>`,
      `<text x="${xOf(tick)}" y="${top + plotHeight + 18}" text-anchor="middle">${tick.toLocaleString('en')}</text>`,
    ]),
    `<text x="${offset + left + plotWidth / 2}" y="${top + plotHeight + 36}" text-anchor="middle">article pages</text>`,
    ...lines.flatMap(({ points: own }, at) => [
      `<polyline points="${own.map(({ x, y }) => `${xOf(x)},${yOf(y)}`).join(' ')}" ${strokeOf(at)} fill="none"/>`,
      ...own.map(({ x, y }) => `<circle cx="${xOf(x)}" cy="${yOf(y)}" r="3" fill="${colourOf(at)}"/>`),
    ]),
  ];
}

function drawLegend(name: string, at: number, y: number): readonly string[] {
  const text = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return [
    `<line x1="${left}" x2="${left + 30}" y1="${y - 4}" y2="${y - 4}" ${strokeOf(at)}/>`,
    `<text x="${left + 38}" y="${y}">${text}</text>`,
  ];
}

/** Colours come again, dashed. */
function strokeOf(at: number): string {
  const dash = at < colours.length ? '' : ' stroke-dasharray="6 4"';
  return `stroke="${colourOf(at)}" stroke-width="2"${dash}`;
}

function colourOf(at: number): string {
  return colours[at % colours.length] ?? 'black';
}

/** 1, 2 and 5 times powers of ten, from just below the smallest value to just above the largest. */
function ticks(numbers: readonly number[]): readonly number[] {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const first = Math.floor(Math.log10(low));
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, at) => first + at);
  const all = powers.flatMap((power) => [1, 2, 5].map((factor) => Number(`${factor}e${power}`)));
  const from = all.findLastIndex((tick) => tick <= low);
  return all.slice(Math.max(0, from), Math.max(from + 2, all.findIndex((tick) => tick >= high) + 1));
}

/** @returns where a value lies, with one digit behind the point */
function scale(ticksOfAxis: readonly number[], start: number, end: number): (value: number) => number {
  const [low, high] = [Math.log(ticksOfAxis[0] ?? 1), Math.log(ticksOfAxis.at(-1) ?? 10)];
  return (value) => Math.round((start + ((Math.log(value) - low) / (high - low)) * (end - start)) * 10) / 10;
}
