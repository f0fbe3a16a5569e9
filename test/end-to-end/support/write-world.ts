import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Category, type ExclusionReason, popularCount } from '../../../src/core/model.ts';
import { dataAddress, png } from '../../site/media/images.ts';
import { writeTree } from '../../support/folder-layouts.ts';
import type { OfflineProject, WrittenArticle } from '../../support/offline-project.ts';
import { type Draft, type DraftText, downloadAddresses, liveLanguages, type World } from './world.ts';

/** Writes a world as the snapshot of a project. */
export async function writeSnapshot(project: OfflineProject, world: World): Promise<void> {
  await project.write(Object.values(world.articles).map(toWritten), world.categories, {
    excluded: new Map(Object.entries(world.hidden).map(([id, { reason }]) => [id, reason])),
    topArticles: new Map(
      Object.keys(world.popular).map((language) => [language, mostViewed(world, language)]),
    ),
  });
}

/** Replaces the template folder of a project. */
export async function writeTemplates(
  { folder }: Pick<OfflineProject, 'folder'>,
  { templates }: World,
): Promise<void> {
  await rm(join(folder, 'templates'), { recursive: true, force: true });
  writeTree(join(folder, 'templates'), templates);
}

/** HTML of one language of an article. */
export function composeBody({ headings, sentences, links, images, copied, markup }: DraftText): string {
  const shown = images.map((shade) => `<img alt="A chart" src="${dataAddress(png(64, 48, shade))}">`);
  const files = copied.map((address) =>
    isDownload(address) ? `<a href="${address}">Download</a>` : `<img alt="A photo" src="${address}">`,
  );
  return [
    `<p class="wide">${sentences.join(' ')}</p>`,
    ...headings.map((heading, at) => `<h2>${heading}</h2><p>${heading}, told in part ${at}.</p>`),
    `<p>${links.map((link) => `<a href="/article/${link}">${link}</a>`).join(' ')}</p>`,
    ...shown,
    ...files,
    markup,
  ].join('\n');
}

/** The articles of a world as the API lists them. */
export function articleRecords({ articles, hidden }: World): readonly unknown[] {
  const shown = Object.values(articles).map((draft) => articleRecord(draft, null));
  const others = Object.values(hidden).filter(({ reason }) => reason !== 'gone');
  return [...shown, ...others.map(({ reason, draft }) => articleRecord(draft, reason))];
}

export function categoryRecords({ categories }: World): readonly unknown[] {
  return categories.map(({ id, parentId, icon, updatedAt, translations }: Category) => {
    const own = translations.find(({ language }) => language === 'en');
    return {
      category_id: id,
      parent_category_id: parentId,
      icon,
      updated_at: updatedAt,
      title: own?.title ?? null,
      slug: own?.slug ?? null,
      description: own?.description ?? null,
      multilingual: translations
        .filter((translation) => translation !== own)
        .map(({ language, ...texts }) => ({ ...texts, language_code: language, is_live: true })),
    };
  });
}

function mostViewed(world: World, language: string): readonly string[] {
  const isIn = (id: string) => liveLanguages(world.articles[id] as Draft).includes(language);
  return publicViews(world, language)
    .map(({ articleId }) => articleId)
    .filter(isIn)
    .slice(0, popularCount);
}

/** Views of public articles in a language. */
export function publicViews({ articles, popular }: World, language: string): World['popular'][string] {
  return (popular[language] ?? []).filter(({ articleId }) => articleId in articles);
}

/** Content of a URL on the help centre's server; `null` for 404. */
export function fileContent({ files }: World, address: string): Buffer | null {
  const shade = files[address];
  if (shade === undefined) return null;
  return isDownload(address) ? Buffer.from(`PK ${shade}`) : png(64, 48, shade);
}

function isDownload(address: string): boolean {
  return downloadAddresses.some((download) => download === address);
}

function toWritten(draft: Draft): WrittenArticle {
  const texts = liveLanguages(draft).map((language): [string, WrittenArticle['texts'][string]] => {
    const text = draft.texts[language] as DraftText;
    const { title, slug, description } = text;
    return [language, { title, slug, description, body: composeBody(text) }];
  });
  return { ...draft, texts: Object.fromEntries(texts) };
}

function articleRecord(draft: Draft, hidden: ExclusionReason | null): unknown {
  const { en, ...others } = draft.texts;
  return {
    article_id: draft.id,
    ...textFields(en?.isLive ? en : undefined),
    category_id: draft.categoryId,
    tags: draft.tags,
    is_published: hidden !== 'draft',
    is_private: hidden === 'private',
    permission_groups: hidden === 'restricted' ? ['staff'] : [],
    created_at: null,
    updated_at: draft.updatedAt,
    is_featured: draft.isFeatured,
    sort_order: draft.sortOrder,
    show_toc: draft.showToc,
    multilingual: Object.entries(others).map(([language_code, text]) => ({
      language_code,
      is_live: text.isLive,
      ...textFields(text),
    })),
  };
}

function textFields(text: DraftText | undefined) {
  const { title = null, slug = null, description = null } = text ?? {};
  return { title, slug, description, body: text === undefined ? null : composeBody(text) };
}
