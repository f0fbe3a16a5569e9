import type { Document } from '../../../src/content/document.ts';
import type { Article, Category } from '../../../src/core/model.ts';
import type { Plan } from '../../../src/site/plan/plan.ts';
import { type PlanSettings, planSite } from '../../../src/site/plan/plan-site.ts';
import { article, category, knowledgeBase } from '../../support/knowledge-base.ts';

/** The plan of a knowledge base whose default language is English. */
export function planOf(
  articles: readonly Article[],
  categories: readonly Category[] = [],
  siteUrl: string | null = 'https://help.example.com/docs',
  popular: PlanSettings['popular'] = new Map(),
  fallback: PlanSettings['fallback'] = { mode: 'omit', languages: {} },
): Plan {
  return planSite(knowledgeBase(articles, categories), {
    siteUrl: siteUrl ?? undefined,
    siteTitle: 'Acme Help',
    languages: undefined,
    popular,
    fallback,
    urls: { article: '{lang}/article/{id}-{slug}', category: '{lang}/category/{id}-{slug}' },
  }).plan;
}

/** A result of the content stage. */
export function document(html: string, rest: Partial<Document> = {}): Document {
  const text = html.replace(/<[^>]*>/g, '');
  return {
    html,
    headings: [],
    markdown: `${text}\n`,
    blocks: [],
    text,
    sections: [],
    links: [],
    images: [],
    anchors: [],
    files: [],
    problems: [],
    ...rest,
  };
}

/** Three articles in English, Arabic and Japanese, one of them untranslated, in two categories. */
export const sampleArticles: readonly Article[] = [
  article(
    'aaaaaaaaa1',
    { en: 'Reset your password', ar: 'إعادة تعيين كلمة المرور', ja: 'パスワードを再設定する' },
    { categoryId: 'ccccccccc1', tags: ['account'], updatedAt: '2026-03-01T10:00:00.000Z' },
  ),
  article(
    'aaaaaaaaa2',
    { en: 'Change your email & name', ja: 'メールを変更する' },
    { categoryId: 'ccccccccc1', tags: ['account'], updatedAt: '2026-05-01T10:00:00.000Z', isFeatured: true },
  ),
  article('aaaaaaaaa3', { en: 'Refunds <explained>' }, { categoryId: 'ccccccccc2' }),
  article('aaaaaaaaa4', { en: 'Something else' }),
];

export const sampleCategories: readonly Category[] = [
  category('ccccccccc1', { en: 'Your account', ar: 'حسابك', ja: 'アカウント' }, { icon: '🔑' }),
  category('ccccccccc2', { en: 'Billing' }),
];
