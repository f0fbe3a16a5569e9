import { answerCalls } from '../../core/threads.ts';
import type { RenderedMarkdown } from './markdown-renderer.ts';
import { renderMarkdown } from './render-markdown.ts';

/** The thread of `openMarkdownRenderer`. */
answerCalls<string, RenderedMarkdown>(async (markdown) => {
  let isPlain = false;
  const html = renderMarkdown(markdown, () => {
    isPlain = true;
  });
  return { html, isPlain };
});
