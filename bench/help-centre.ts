import { fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CorpusArticle, type CorpusSettings, createCorpus } from './corpus/corpus.ts';
import { type CorpusEdit, editText, mostViewed } from './corpus/edits.ts';

/** A help centre in a separate process: API, statistics, and images with an ETag each. */
export interface HelpCentre {
  /** `http://127.0.0.1:40123`. */
  readonly origin: string;
  edit(edit: CorpusEdit): Promise<void>;
  /** Undoes all edits. */
  reset(): Promise<void>;
  stop(): void;
}

/** Options of the process of the help centre. */
type Message = CorpusEdit | 'reset';

export interface HelpCentreSettings extends Pick<CorpusSettings, 'articles' | 'languages'> {
  /** Whether every third article has two images; by default it has. */
  readonly hasImages?: boolean;
}

/** Size of an image; the corpus has half as many images as articles. */
const imageBytes = 20_000;

export async function startHelpCentre(settings: HelpCentreSettings): Promise<HelpCentre> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(settings)]);
  const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }];
  const tell = async (message: Message): Promise<void> => {
    const done = once(child, 'message');
    child.send(message);
    await done;
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    edit: tell,
    reset: () => tell('reset'),
    stop: () => void child.kill(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  serve(JSON.parse(process.argv[2] ?? '') as HelpCentreSettings);
}

/** Sends its port to the parent, then makes the edits that the parent requests. */
function serve({ articles, languages, hasImages = true }: HelpCentreSettings): void {
  const corpus = createCorpus({ articles, languages, seed: '1', sample: resolve('sample') });
  const first = Array.from(corpus.articles(), (article, at) =>
    hasImages ? withImages(article, at, articles) : article,
  );
  const state = { categories: corpus.categories, articles: [...first], extraViews: 0 };
  process.on('message', (message: Message) => {
    if (message === 'reset') Object.assign(state, { articles: [...first], extraViews: 0 });
    else if (message.kind === 'views') state.extraViews += 1;
    else {
      for (const at of message.articles) {
        const article = state.articles[at] as CorpusArticle;
        const texts = article.texts.map((text, place) =>
          editText(text, place, article.texts.length, message),
        );
        state.articles[at] = { ...article, texts, updatedAt: nextDay(article.updatedAt) };
      }
    }
    process.send?.('done');
  });
  process.on('disconnect', () => process.exit());
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, place, , id = ''] = url.pathname.split('/');
    if (place === 'img') return sendImage(url.pathname, request, response);
    response.setHeader('content-type', 'application/json');
    if (url.pathname === '/v1/category')
      return send(response, { categories: state.categories.map(toCategory) });
    if (url.pathname === '/v1/stats/article') {
      const viewed = mostViewed(idsOf(state.articles), state.extraViews);
      const top_articles = viewed.map(({ articleId, count }) => ({
        article_id: articleId,
        count,
        title: '',
      }));
      return send(response, { top_articles });
    }
    if (url.pathname === '/v1/article') return void sendList(state.articles, url.searchParams, response);
    const found = state.articles.find((article) => article.id === id);
    return send(response, found === undefined ? {} : { article: toRecord(found, true) }, found ? 200 : 404);
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

/** Every edit has its own date, the same in every run. */
function nextDay(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString();
}

/** Adds two images to every third article. */
function withImages(article: CorpusArticle, at: number, articles: number): CorpusArticle {
  if (at % 3 !== 0) return article;
  const image = (index: number) => `<img alt="A photo" src="/img/${index % Math.ceil(articles / 2)}.png">`;
  const shown = `\n<p>${image(at)}${image(at + 1)}</p>`;
  return { ...article, texts: article.texts.map((text) => ({ ...text, body: `${text.body}${shown}` })) };
}

async function sendList(
  articles: readonly CorpusArticle[],
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const skip = Number(query.get('skip') ?? 0);
  const chosen = articles.slice(skip, skip + Number(query.get('limit') ?? articles.length));
  const hasBodies = query.get('include_body') === 'true';
  response.write('{"articles":[');
  for (const [at, article] of chosen.entries()) {
    const record = JSON.stringify(toRecord(article, hasBodies));
    if (!response.write(at === 0 ? record : `,${record}`)) await once(response, 'drain');
  }
  response.end(']}');
}

function sendImage(path: string, request: IncomingMessage, response: ServerResponse): void {
  const etag = `"${hash('sha256', path).slice(0, 16)}"`;
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
  const head = Buffer.alloc(33);
  head.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  head.writeUInt32BE(13, 8);
  head.write('IHDR', 12, 'latin1');
  head.writeUInt32BE(640, 16);
  head.writeUInt32BE(480, 20);
  head.writeUInt8(8, 24);
  const content = Buffer.concat([head, Buffer.alloc(imageBytes, hash('sha256', path))]);
  response.writeHead(200, { etag }).end(content);
}

function toRecord({ id, categoryId, tags, createdAt, updatedAt, texts }: CorpusArticle, hasBodies: boolean) {
  const [own, ...others] = texts.map(({ language, title, slug, description, body }) => ({
    language_code: language,
    title,
    slug,
    description,
    ...(hasBodies ? { body } : {}),
    is_live: true,
  }));
  return {
    article_id: id,
    category_id: categoryId,
    tags,
    is_published: true,
    is_private: false,
    created_at: createdAt,
    updated_at: updatedAt,
    ...own,
    multilingual: others,
  };
}

function toCategory({ id, parentId, texts }: ReturnType<typeof createCorpus>['categories'][number]) {
  const [own, ...others] = texts.map(({ language, ...text }) => ({ ...text, language_code: language }));
  return { category_id: id, parent_category_id: parentId, ...own, multilingual: others };
}

function idsOf(articles: readonly CorpusArticle[]): readonly string[] {
  return articles.slice(0, 100).map(({ id }) => id);
}

function send(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status).end(JSON.stringify(value));
}
