import { hash } from 'node:crypto';
import { builtFile, countThreads, startThreads, type ThreadPool } from '../../core/threads.ts';
import { type RenderedMarkdown, type RenderMarkdown, renderBounded } from './render-markdown.ts';

/** Renders Markdown, in threads if there is much of it. */
export interface MarkdownPool {
  /** Number of texts to render at a time. */
  readonly capacity: number;
  readonly render: RenderMarkdown;
  /** Ends the threads. The pool can be used again. */
  stop(): Promise<void>;
}

/**
 * Characters that one thread renders in the time that others need to start and to become as fast. With two processors, threads for 5.5 million
 * characters took as long by the clock, and half a second more of processor time.
 */
const maxHere = 4_000_000;

/** Maximum characters of HTML in the cache: about 10,000 pages. */
const maxRemembered = 64 * 1024 * 1024;

/**
 * Creates a pool without threads. They start when this thread has rendered about a thousand pages, because it is not known before how many
 * pages have changed.
 * @param remembers caches HTML by the hash of its text, for a program that reads one folder repeatedly: a new page may change the link targets
 * of all others, and rendering takes most of the time
 * @param maxCharacters what is rendered in this thread, at least
 */
export function createMarkdownPool(
  remembers: boolean,
  renderHere: (markdown: string) => RenderedMarkdown = renderBounded,
  maxCharacters = maxHere,
): MarkdownPool {
  let threads: ThreadPool<string, RenderedMarkdown> | null = null;
  let characters = 0;
  const known = new Map<string, RenderedMarkdown>();
  let size = 0;
  const renderNow = async (markdown: string): Promise<RenderedMarkdown> => {
    if (threads === null && characters < maxCharacters) {
      characters += markdown.length;
      return renderHere(markdown);
    }
    threads ??= startThreads(builtFile(import.meta.url, 'markdown-worker.js'), countThreads(), {
      settings: null,
      errors: [],
    });
    return threads.call(markdown);
  };
  const renderOnce = async (markdown: string): Promise<RenderedMarkdown> => {
    const key = hash('sha256', markdown);
    const rendered = known.get(key) ?? (await renderNow(markdown));
    size += known.delete(key) ? 0 : rendered.html.length;
    known.set(key, rendered);
    // The first one is the least recently used.
    for (const [oldest, { html }] of known) {
      if (size <= maxRemembered) break;
      known.delete(oldest);
      size -= html.length;
    }
    return rendered;
  };
  return {
    capacity: 2 * countThreads(),
    async render(markdown, report) {
      const { html, isLiteral } = await (remembers ? renderOnce : renderNow)(markdown);
      if (isLiteral) report?.();
      return html;
    },
    async stop() {
      const ending = threads;
      threads = null;
      characters = 0;
      await ending?.terminate();
    },
  };
}
