import { createHash } from 'node:crypto';
import type { Plan } from '../../../src/site/plan/plan.ts';
import { planSite } from '../../../src/site/plan/plan-site.ts';
import { article, category, knowledgeBase, translation } from '../../support/knowledge-base.ts';

/** An article of a sample knowledge base: language → title and Markdown. */
export interface SampleArticle {
  readonly id: string;
  readonly categoryId?: string | null;
  readonly tags?: readonly string[];
  readonly updatedAt?: string | null;
  readonly slug?: string;
  /** Description of the article in all languages. */
  readonly description?: string;
  /** By language, if it has its own date. */
  readonly updatedAtOf?: Readonly<Record<string, string>>;
  /** Fingerprints of the call-outs of its bodies. */
  readonly blockFingerprints?: readonly string[];
  readonly pages: Readonly<Record<string, { readonly title: string; readonly markdown: string }>>;
}

/** A category, a parent before its children: language → title. */
interface SampleCategory {
  readonly id: string;
  readonly parentId?: string | null;
  readonly titles: Readonly<Record<string, string>>;
}

export interface SampleSite {
  readonly siteUrl?: string | null;
  readonly languages: readonly string[];
  readonly categories?: readonly SampleCategory[];
  readonly articles: readonly SampleArticle[];
}

/** The plan of a made-up knowledge base. */
export function samplePlan(site: SampleSite): Plan {
  const articles = site.articles.map((sample) => {
    const pages = Object.entries(sample.pages).map(([language, { title, markdown }]) =>
      translation(language, title, {
        slug: sample.slug ?? 'page',
        description: sample.description ?? null,
        updatedAt: sample.updatedAtOf?.[language] ?? null,
        bodyHash: createHash('sha256').update(markdown).digest('hex'),
        blockFingerprints: sample.blockFingerprints ?? [],
      }),
    );
    const { id, categoryId = null, tags = [], updatedAt = null } = sample;
    return article(id, pages, { categoryId, tags, updatedAt });
  });
  const categories = (site.categories ?? []).map(({ id, titles, parentId = null }) =>
    category(id, titles, { parentId }),
  );
  const [defaultLanguage = 'en'] = site.languages;
  return planSite(knowledgeBase(articles, categories, { defaultLanguage }), {
    siteUrl: site.siteUrl === undefined ? 'https://help.example.com' : (site.siteUrl ?? undefined),
    siteTitle: 'Example help',
    languages: site.languages,
    urls: { article: '{lang}/article/{id}-{slug}', category: '{lang}/category/{id}' },
  }).plan;
}
