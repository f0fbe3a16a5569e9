import type { Document } from '../../content/document.ts';
import type { LanguageTag } from '../../core/model.ts';
import type { RenderedFile } from '../../site/pages/assets.ts';
import { createArticleRenderer, type RenderArticle } from '../../site/pages/render-article.ts';
import type { Site } from '../../site/pages/site.ts';
import { type ArticlePage, articleOf, type Plan } from '../../site/plan/plan.ts';
import type { Source } from '../../source/source.ts';
import { createRunSite, planRun } from '../create-site.ts';
import { createDocumentMaker } from '../make-documents.ts';
import { documentSettings } from '../render-settings.ts';
import type { Run } from '../run.ts';

/** Renders single pages of the last snapshot on request, with the current templates. */
export interface LiveSite {
  /**
   * The page or asset at a path of the output; `null` for files that only a build can write (search index, feed).
   * @throws what rendering throws: TEMPLATE_FAILED, …
   */
  readonly render: (path: string) => Promise<string | Uint8Array | null>;
  /** The file of each article page by its path in the output, if the source is a folder. */
  readonly files: ReadonlyMap<string, string>;
  /** Makes the next request read templates, texts and assets again. */
  readonly reloadTemplates: () => void;
  close(): Promise<void>;
}

/**
 * Prepares a run for rendering single pages, so that a changed template shows without building the whole site.
 * @param run closed with the site
 * @param folder base of relative paths in the configuration
 */
export async function openLiveSite(run: Run, folder: string): Promise<LiveSite> {
  const { config, userFiles } = run;
  const source = await run.readSource();
  const { plan } = await planRun(config, source, folder);
  const pages = new Map(
    [...plan.articles.values()].flatMap((article) =>
      [...article.pages.values()].map((page) => [page.path, page]),
    ),
  );
  const documentOf = readOnce(run, source, plan);
  let rendered: Promise<LiveRender> | null = null;
  return {
    files: new Map([...pages].flatMap(([path, { file }]) => (file === null ? [] : [[path, file]]))),
    async render(path) {
      rendered ??= startRendering(createRunSite(config, plan, userFiles));
      const { site, renderArticle, other } = await rendered;
      const page = pages.get(path);
      if (page === undefined) return other(path);
      const document = await documentOf(page);
      const [head] = site.describeArticle(page.articleId, page.language);
      if (document === undefined || head === undefined) return null;
      return renderArticle(head, document).content;
    },
    reloadTemplates() {
      rendered = null;
    },
    close: run.close,
  };
}

interface LiveRender {
  readonly site: Site;
  readonly renderArticle: RenderArticle;
  /** A page or asset that does not belong to a single article. */
  readonly other: (path: string) => Promise<string | Uint8Array | null>;
}

/** The search index contains the text of every article, so only a build can write it. */
const isSearchIndex = /^assets\/search\/|\/search\/index\.json$/;

/** Renders the site's other files in order, only as far as needed: the first home page does not wait for the last category. */
async function startRendering(creating: Promise<Site>): Promise<LiveRender> {
  const site = await creating;
  const files = new Map<string, string | Uint8Array>();
  const others = renderOthers(site);
  let failure: { readonly error: unknown } | null = null;
  const advance = async (): Promise<boolean> => {
    if (failure !== null) throw failure.error;
    try {
      const { done, value } = await others.next();
      if (!done) files.set(value.path, value.content);
      return !done;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  return {
    site,
    renderArticle: createArticleRenderer(site.theme),
    async other(path) {
      if (isSearchIndex.test(path)) return null;
      while (!files.has(path) && (await advance())) {}
      return files.get(path) ?? null;
    },
  };
}

/** All files except article pages and the search index. */
async function* renderOthers(site: Site): AsyncGenerator<RenderedFile> {
  for (const { render } of site.renderListings()) yield* render();
  yield* site.paintPictures();
}

/** Reads the bodies of an article on first use; they do not change as long as the snapshot is the same. */
function readOnce(
  { config, openMedia }: Run,
  source: Source,
  plan: Plan,
): (page: ArticlePage) => Promise<Document | undefined> {
  const makeDocuments = createDocumentMaker({ ...documentSettings(config, source), links: plan });
  const done = new Map<string, ReadonlyMap<LanguageTag, Document>>();
  const read = async (id: string): Promise<ReadonlyMap<LanguageTag, Document>> => {
    const stored = await source.readBodies(id);
    // Copies of the last build: the files themselves are in its output.
    const media = await openMedia();
    const bodies = Array.from(
      articleOf(plan, id).pages.values(),
      ({ language, url }) => [language, stored.get(language) ?? '', url] as const,
    );
    const { documents } = makeDocuments({
      bodies,
      media: (await media.prepare(bodies.map(([, body]) => body)))?.table ?? null,
    });
    return new Map(documents.map((document, at) => [bodies[at]?.[0] ?? '', document]));
  };
  return async ({ articleId, language }) => {
    const documents = done.get(articleId) ?? (await read(articleId));
    done.set(articleId, documents);
    return documents.get(language);
  };
}
