import { availableParallelism } from 'node:os';
import { builtFile, startThread, type Thread } from '../../core/threads.ts';
import { renderMarkdown } from './render-markdown.ts';

/** Renders Markdown as {@link renderMarkdown} does. @param report called for Markdown that is shown as it is written */
export type RenderMarkdown = (markdown: string, report: () => void) => Promise<string>;

/** Reply of the thread. Plain data. */
export interface RenderedMarkdown {
  readonly html: string;
  /** Whether it is shown as it is written. */
  readonly isPlain: boolean;
}

/** For fewer texts, starting a thread costs more than it saves. */
const maxTextsHere = 64;

/**
 * Renders the Markdown of a folder: the first texts here, all others in a thread, because that takes about as long as everything else that is
 * done to read a folder. A second thread would wait for this one.
 */
export function openMarkdownRenderer(): {
  readonly render: RenderMarkdown;
  readonly close: () => Promise<void>;
} {
  let thread: Thread<string, RenderedMarkdown> | null = null;
  let texts = 0;
  return {
    async render(markdown, report) {
      texts += 1;
      if (texts <= maxTextsHere || availableParallelism() === 1) return renderMarkdown(markdown, report);
      thread ??= startThread(builtFile(import.meta.url, 'markdown-worker.js'), {
        settings: null,
        errors: [],
      });
      const { html, isPlain } = await thread.call(markdown);
      if (isPlain) report();
      return html;
    },
    close: async () => thread?.terminate(),
  };
}
