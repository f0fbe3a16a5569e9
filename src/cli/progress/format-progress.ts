import type { BuildProgress } from '../../build/build.ts';

const work: Readonly<
  Record<BuildProgress['kind'], { readonly doing: string; readonly noun: string; readonly nouns: string }>
> = {
  articles: { doing: 'Fetching', noun: 'article', nouns: 'articles' },
  bodies: { doing: 'Fetching', noun: 'changed article', nouns: 'changed articles' },
  categories: { doing: 'Fetching', noun: 'category', nouns: 'categories' },
  statistics: { doing: 'Fetching', noun: 'statistics', nouns: 'statistics' },
  rendering: { doing: 'Rendering', noun: 'article', nouns: 'articles' },
  writing: { doing: 'Writing', noun: 'page or asset', nouns: 'pages and assets' },
};

/** A rate over less than this says nothing. */
const shortestMs = 500;

/**
 * One line on where a run is: `Fetching 1,200 of 5,000 articles, 400/s, 10 s left`.
 * @param elapsedMs since this kind of work began
 */
export function formatProgress({ kind, done, total }: BuildProgress, elapsedMs: number): string {
  const { doing, noun, nouns } = work[kind];
  const amount = total === null ? number(done) : `${number(done)} of ${number(total)}`;
  const head = `${doing} ${amount} ${(total ?? done) === 1 ? noun : nouns}`;
  if (elapsedMs < shortestMs || done === 0) return head;
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
