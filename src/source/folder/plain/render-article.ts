import { isSameLanguage } from '../../../core/language.ts';
import { type Problem, problem } from '../../../core/problems.ts';
import type { UnknownRecord } from '../../../core/unknown-record.ts';
import type { TextReference } from '../../snapshot/format.ts';
import type { FolderRecord, FolderSettings, RenderedRecord } from '../folder-read.ts';
import type { PlainArticle } from './find-articles.ts';
import type { Page } from './load-pages.ts';
import {
  createdFields,
  dateField,
  describeUnreadable,
  orderField,
  tagFields,
  textField,
  updatedFields,
} from './page-fields.ts';
import { splitOrder, titleOf, withoutExportId } from './page-path.ts';
import { type PlainTargets, renderPage } from './plain-targets.ts';
import { visibilityKeyName } from './visibility-keys.ts';

/** Makes the record of an article, as the API returns it, of its public pages. @param place where it is among the others */
export async function renderArticle(
  { id, pages }: PlainArticle,
  shown: readonly Page[],
  place: {
    readonly categoryId: string | null;
    /** Whether it introduces the other pages of its folder, and so comes first. */
    readonly isIntroduction: boolean;
  },
  targets: PlainTargets,
  settings: FolderSettings,
): Promise<RenderedRecord> {
  const [first] = (shown.length > 0 ? shown : pages) as [Page, ...Page[]];
  const problems: Problem[] = [];
  const references: TextReference[] = [];
  const noted: PlainTargets = {
    ...targets,
    find(page, path) {
      references.push([page.path, path]);
      return targets.find(page, path);
    },
    findByName(page, name) {
      references.push([page.path, name, true]);
      return targets.findByName(page, name);
    },
  };
  const texts: FolderText[] = [];
  for (const page of shown) {
    const { language } = page;
    const report = (code: Problem['code'], message: string): void => {
      problems.push(problem(code, message, { articleId: id, language, file: page.path }));
    };
    for (const message of describeUnreadable(page.data)) report('FIELD_INVALID', message);
    texts.push({
      language_code: language,
      title: titleOf(page),
      slug: slugOf(page),
      description: textField(page.data, 'description', 'summary'),
      body: await renderPage(page, noted, settings, report),
      updated_at: dateField(page.data, ...updatedFields),
      schedule: scheduleFields(page.data),
    });
  }
  const hidden = pages.filter((page) => !shown.includes(page));
  const record = toApiRecord(settings.defaultLanguage, texts, hidden, {
    article_id: id,
    category_id: place.categoryId,
    tags: tagFields(first.data),
    is_published: true,
    is_private: false,
    created_at: dateField(first.data, ...createdFields),
    is_featured: first.data.is_featured === true || first.data.featured === true,
    show_toc: first.data.hide_table_of_contents !== true && first.data.toc !== false,
    sort_order: orderField(first.data) ?? splitOrder(first.name).order ?? (place.isIntroduction ? -1 : null),
  });
  return { record, problems, references };
}

function slugOf({ data, name, folder, isIndex }: Page): string | null {
  const given = textField(data, 'slug', 'url', 'permalink')?.split('/').filter(Boolean).at(-1);
  if (given !== undefined) return given.replace(/\.html?$/i, '') || null;
  const own = isIndex ? (folder.split('/').at(-1) ?? '') : name;
  return splitOrder(withoutExportId(own)).rest || null;
}

/** One public language version of an article, as the API has it; its body is HTML. */
type FolderText = Readonly<
  Record<'title' | 'slug' | 'description' | 'body' | 'updated_at', string | null>
> & {
  readonly language_code: string;
  /** `publish_at` and `unpublish_at`, as the service has them. */
  readonly schedule: UnknownRecord;
};

/** The end of a publication is stored with the article, so that a build from the last snapshot keeps to it. */
function scheduleFields(data: UnknownRecord): UnknownRecord {
  const fields = ['publish_at', 'unpublish_at'].flatMap((name) => {
    const found = Object.entries(data).find(
      ([field]) => visibilityKeyName(field) === visibilityKeyName(name),
    );
    return found === undefined || found[1] === null ? [] : [[name, found[1]] as const];
  });
  return Object.fromEntries(fields);
}

/** Makes a record as the API returns it. Its own texts are in the default language; without these, all languages are translations. */
function toApiRecord(
  defaultLanguage: string,
  texts: readonly FolderText[],
  hidden: readonly Page[],
  fields: Readonly<Record<string, unknown>>,
): FolderRecord {
  // The schedule of a record is that of all its languages; that of a page is only its own.
  const isOwn = ({ language_code, schedule }: FolderText): boolean =>
    isSameLanguage(language_code, defaultLanguage) && Object.keys(schedule).length === 0;
  const own = texts.find(isOwn);
  const newest =
    texts
      .flatMap(({ updated_at }) => updated_at ?? [])
      .sort()
      .at(-1) ?? null;
  return {
    ...fields,
    title: own?.title ?? null,
    slug: own?.slug ?? texts.find(({ slug }) => slug !== null)?.slug ?? null,
    description: own?.description ?? null,
    body: own?.body ?? null,
    updated_at: own === undefined ? newest : own.updated_at,
    multilingual: [
      ...texts
        .filter((text) => !isOwn(text))
        .map(({ schedule, ...text }) => ({ ...text, is_live: true, ...schedule })),
      ...hidden.map((page) => ({
        language_code: page.language,
        title: titleOf(page),
        is_live: false,
      })),
    ],
  };
}
