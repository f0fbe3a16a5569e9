import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { serveKnowledgeBase } from '../../source/support/knowledge-base-server.ts';
import { sendJson } from '../../source/support/test-server.ts';
import { serve } from '../../support/serve.ts';
import { firstWorld, type World } from './world.ts';
import { articleRecords, categoryRecords, fileContent, publicViews } from './write-world.ts';

/** A local help centre: the API, its images and downloads, and published sites. */
export interface WorldServer {
  readonly origin: string;
  /** Makes the server serve this world. */
  show(world: World): void;
  /** Serves a folder; returns its URL. */
  publish(folder: string): string;
  close(): Promise<void>;
}

export async function startWorldServer(): Promise<WorldServer> {
  let world = firstWorld;
  const published: string[] = [];
  const { origin, close } = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const [, place = '', number = '', ...path] = pathname.split('/').map(decodeURIComponent);
    if (place === 'up') return sendFile(fileContent(world, pathname), request, response);
    if (place === 'published') {
      return sendFile(readIfThere(join(published[Number(number)] ?? '', ...path)), request, response);
    }
    if (pathname === '/v1/stats/article') {
      const views = publicViews(world, searchParams.get('language_code') ?? '');
      const entries = views.map(({ articleId, count }) => ({ article_id: articleId, count, title: 'x' }));
      return sendJson(response, { top_articles: entries });
    }
    const served = { articles: articleRecords(world), categories: categoryRecords(world) };
    return serveKnowledgeBase(served)(request, response);
  });
  return {
    origin,
    show(next) {
      world = next;
    },
    publish: (folder) => `${origin}/published/${published.push(folder) - 1}/`,
    close,
  };
}

/** Uses an ETag of the content, and answers conditional requests with 304. */
function sendFile(content: Buffer | null, request: IncomingMessage, response: ServerResponse): void {
  if (content === null) return void response.writeHead(404).end('nothing here');
  const etag = `"${hash('sha256', content)}"`;
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
  response.writeHead(200, { etag }).end(content);
}

function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
