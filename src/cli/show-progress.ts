import type { BuildProgress } from '../core/report.ts';

/** Where and how progress is shown. */
export interface ProgressTarget {
  readonly write: (text: string) => void;
  /** Replaces the last line of a terminal. */
  readonly rewrite: (line: string) => void;
  /**
   * `line`: one terminal line, rewritten; `plain`: a line when each kind of work is finished, and one every ten seconds; `json`: the same
   * as one JSON object per line; `none`: nothing.
   */
  readonly style: 'line' | 'plain' | 'json' | 'none';
  /** Columns of the terminal. */
  readonly columns: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

export interface ProgressDisplay {
  readonly update: (progress: BuildProgress) => void;
  /** Shows the last progress and clears the line. */
  readonly end: () => void;
}

/** Interval of progress lines by style. */
const intervalMs = { line: 80, plain: 10_000, json: 1000 } as const;

/** Shows the progress of a run at intervals. */
export function showProgress({ write, rewrite, style, columns, now }: ProgressTarget): ProgressDisplay {
  if (style === 'none') return { update: () => {}, end: () => {} };
  let current: BuildProgress | null = null;
  let startedMs = 0;
  let shownMs = Number.NEGATIVE_INFINITY;
  let shown: BuildProgress | null = null;

  const show = (progress: BuildProgress): void => {
    shown = progress;
    shownMs = now();
    const text = formatProgress(progress, shownMs - startedMs);
    if (style === 'json') write(`${JSON.stringify({ event: 'progress', ...progress })}\n`);
    else if (style === 'line') rewrite(text.slice(0, columns - 1));
    else write(`${text}\n`);
  };
  const showLast = (): void => {
    if (current !== null && current !== shown) show(current);
  };

  return {
    update(progress) {
      // A folder without categories would be read for 0 of 0.
      if (progress.total === 0) return;
      if (progress.kind !== current?.kind) {
        if (style !== 'line') showLast();
        startedMs = now();
        shownMs = style === 'line' ? Number.NEGATIVE_INFINITY : startedMs;
      }
      current = progress;
      if (now() - shownMs >= intervalMs[style]) show(progress);
    },
    end() {
      if (style !== 'line') showLast();
      else if (shown !== null) rewrite('');
      current = null;
      shown = null;
    },
  };
}

const work: Readonly<
  Record<
    Exclude<BuildProgress['kind'], 'writing'>,
    { readonly doing: string; readonly noun: string; readonly nouns: string }
  >
> = {
  articles: { doing: 'Reading', noun: 'article', nouns: 'articles' },
  bodies: { doing: 'Reading', noun: 'changed article', nouns: 'changed articles' },
  categories: { doing: 'Reading', noun: 'category', nouns: 'categories' },
  statistics: { doing: 'Reading statistics,', noun: 'language', nouns: 'languages' },
  rendering: { doing: 'Rendering', noun: 'article', nouns: 'articles' },
};

/** Minimum time for which a rate is shown; for a shorter one, it is meaningless. */
const minRateMs = 500;

/**
 * One line about the state of a run: `Reading 1,200 of 5,000 articles, 400/s, 10 s left`.
 * @param elapsedMs time since this kind of work started
 */
export function formatProgress({ kind, done, total }: BuildProgress, elapsedMs: number): string {
  if (kind === 'writing') return 'Writing lists, search and feed';
  const { doing, noun, nouns } = work[kind];
  const amount = total === null ? number(done) : `${number(done)} of ${number(total)}`;
  const head = `${doing} ${amount} ${(total ?? done) === 1 ? noun : nouns}`;
  if (elapsedMs < minRateMs || done === 0) return head;
  const perSecond = done / (elapsedMs / 1000);
  const left = total === null || done >= total ? '' : `, ${duration((total - done) / perSecond)} left`;
  return `${head}, ${number(Math.max(1, Math.round(perSecond)))}/s${left}`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}

/** Whole seconds, or minutes and seconds. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
