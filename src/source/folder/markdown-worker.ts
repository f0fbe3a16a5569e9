import { answerCalls } from '../../core/threads.ts';
import { type RenderedMarkdown, renderBounded } from './render-markdown.ts';

/** A thread of `createMarkdownPool`. */
answerCalls<string, RenderedMarkdown>(async (markdown) => renderBounded(markdown));
