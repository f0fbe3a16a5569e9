import type { WrittenFile } from '../output/written-files.ts';
import type { Plan, PlannedArticle } from '../plan/plan.ts';
import type { PageFacts } from '../render/article-facts.ts';
import { feedTexts } from '../render/make-article.ts';
import type { PackedArticle } from '../render/packed-article.ts';
import type { ArticleRecord, PlacedPage, RepeatedPage } from '../standing/article-record.ts';
import type { StandingArticle } from '../standing/standing-article.ts';
import type { ArticleSinks } from './sinks.ts';

/** Publishes an article anew; gives what the next run can repeat of it. */
export async function publishArticle(
  plan: Plan,
  { facts, texts }: PackedArticle,
  sinks: ArticleSinks,
): Promise<Pick<ArticleRecord, 'pages' | 'facts' | 'resolutions'>> {
  const pages: PlacedPage[] = [];
  const repeated: RepeatedPage[] = [];
  let at = 0;
  for (const page of facts.pages) {
    const count = page.files.length + feedTexts.length;
    const published = await publishPage(plan, facts.id, page, texts.slice(at, at + count), sinks);
    // Images and files of other servers are looked at in every run.
    const places = facts.media === null ? published.places : null;
    pages.push({ language: page.language, places });
    repeated.push(published.repeated);
    at += count;
  }
  return { pages, facts: JSON.stringify(repeated), resolutions: JSON.stringify(facts.resolutions) };
}

async function publishPage(
  plan: Plan,
  id: string,
  facts: PageFacts,
  texts: readonly Uint8Array[],
  { site, feed, output, anchors, media }: ArticleSinks,
): Promise<{ readonly places: PlacedPage['places']; readonly repeated: RepeatedPage }> {
  const { language } = facts;
  const files: WrittenFile[] = [];
  for (const [at, { path, sha256 }] of facts.files.entries()) {
    files.push(await output.write(path, texts[at] as Uint8Array, sha256));
  }
  await media.publish(facts.media, { articleId: id, language }, output);
  site.addToSearch(language, facts.search);
  const entry = { facts: facts.feed, ...feedTextsOf(texts.slice(files.length)) };
  const places = await feed.add(id, language, entry);
  const page = plannedArticle(plan, id).pages.get(language);
  if (page !== undefined) anchors.add(page, facts.anchors);
  return {
    places,
    repeated: { language, files, feed: facts.feed, anchors: facts.anchors, problems: facts.problems },
  };
}

/** Publishes an article as the last run did; its files are kept already. */
export async function repeatArticle(
  plan: Plan,
  { record, pages: repeated, positions }: StandingArticle,
  { site, feed, anchors }: ArticleSinks,
): Promise<readonly PlacedPage[]> {
  const { id } = record;
  const pages: PlacedPage[] = [];
  for (const [at, { language, feed: entry, anchors: anchorFacts }] of repeated.entries()) {
    const before = record.pages[at]?.places ?? null;
    if (before === null) throw new Error(`${id} stands, and the feed has no place for it in ${language}`);
    site.repeatInSearch(language, positions.get(language) as number);
    pages.push({ language, places: await feed.repeat(id, language, entry, before) });
    const page = plannedArticle(plan, id).pages.get(language);
    if (page !== undefined) anchors.add(page, anchorFacts);
  }
  return pages;
}

/** @throws when the plan has no such article, which is a bug of the pipeline */
export function plannedArticle(plan: Plan, id: string): PlannedArticle {
  const article = plan.articles.get(id);
  if (article === undefined) throw new Error(`${id} is not planned`);
  return article;
}

function feedTextsOf(texts: readonly Uint8Array[]): Record<(typeof feedTexts)[number], Uint8Array> {
  return Object.fromEntries(feedTexts.map((name, at) => [name, texts[at]])) as ReturnType<typeof feedTextsOf>;
}
