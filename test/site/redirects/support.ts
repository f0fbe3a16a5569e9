import { type RedirectsSettings, redirectsSettings } from '../../../src/core/config/schema.ts';
import type { KnowledgeBase } from '../../../src/core/model.ts';
import type { Problem } from '../../../src/core/problems.ts';
import type { z } from '../../../src/core/schema.ts';
import { headerRules } from '../../../src/site/pages/headers-file.ts';
import { planSite } from '../../../src/site/plan/plan-site.ts';
import { publishRedirects } from '../../../src/site/redirects/publish-redirects.ts';
import { article, category, knowledgeBase, translation } from '../../support/knowledge-base.ts';

export interface PublishOptions {
  readonly settings?: z.input<typeof redirectsSettings>;
  /** Files of the run before. */
  readonly previous?: ReadonlyMap<string, string>;
  readonly siteUrl?: string;
  readonly articlePattern?: string;
  readonly iframeHosts?: readonly string[];
}

export interface Published {
  /** Everything in the output after the run, pages (as empty files) included. */
  readonly files: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
  /** `from → to` of `_redirects`, without legacy URLs unless requested. */
  readonly redirects: Readonly<Record<string, string>>;
}

/** Plans a knowledge base, writes its pages as empty files, and then its redirects. */
export async function publish(base: KnowledgeBase, options: PublishOptions = {}): Promise<Published> {
  const { plan } = planSite(base, {
    siteUrl: options.siteUrl ?? 'https://help.example.com',
    siteTitle: 'Help',
    languages: undefined,
    urls: {
      article: options.articlePattern ?? '{lang}/article/{id}-{slug}',
      category: '{lang}/category/{id}-{slug}',
    },
  });
  const files = new Map<string, string>([['404.html', '']]);
  for (const { home } of plan.languages) files.set(home.path, '');
  for (const { pages } of plan.articles.values()) for (const { path } of pages.values()) files.set(path, '');
  for (const pages of plan.categoryPages.values()) for (const { path } of pages.values()) files.set(path, '');
  const settings: RedirectsSettings = redirectsSettings.parse(options.settings ?? {});
  const bytesOf = (path: string): Uint8Array | null => {
    const content = options.previous?.get(path);
    return content === undefined ? null : Buffer.from(content);
  };
  const { problems } = await publishRedirects(
    {
      appended: '',
      legacy: options.settings?.movedFrom ?? [],
      plan,
      knowledgeBase: base,
      headers: headerRules(plan, { iframeHosts: options.iframeHosts ?? ['youtube.com'] }),
      readPrevious: async (path) => bytesOf(path),
    },
    settings,
    {
      has: (path) => files.has(path),
      files: () => Array.from(files.keys(), (path) => ({ path, sha256: '', bytes: 0 })),
      async write(path, content) {
        if (files.has(path)) throw new Error(`${path} was written twice`);
        files.set(path, String(content));
        return { path, sha256: '', bytes: 0 };
      },
    },
  );
  const lines = (files.get('_redirects') ?? '').split('\n').filter((line) => line !== '');
  const redirects = lines.map((line) => {
    const [from = '', to = '', status = ''] = line.split(' ');
    return [from, status === '301' ? to : `${to} ${status}`] as const;
  });
  return { files, problems, redirects: Object.fromEntries(redirects) };
}

export const ids = { reset: 'aaaaaaaaaa', invoice: 'bbbbbbbbbb', billing: 'cccccccccc' } as const;

/** Two articles, one of them also in German and Japanese, in one category. */
export function sampleBase(
  slugs: { readonly reset?: string; readonly invoice?: string } = {},
): KnowledgeBase {
  const reset = slugs.reset ?? 'reset';
  return knowledgeBase(
    [
      article(
        ids.reset,
        [
          translation('en', 'Reset', { slug: reset }),
          translation('de', 'Zurücksetzen', { slug: 'zurücksetzen' }),
          translation('ja', 'リセット', { slug: 'リセット' }),
        ],
        { categoryId: ids.billing },
      ),
      article(ids.invoice, [translation('en', 'Invoice', { slug: slugs.invoice ?? 'invoice' })], {
        categoryId: ids.billing,
      }),
    ],
    [category(ids.billing, { en: 'Billing' })],
  );
}
