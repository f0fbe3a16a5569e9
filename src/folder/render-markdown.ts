import { micromark, type Options } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/**
 * Renders GitHub-flavoured Markdown to the HTML a help centre stores. Raw HTML passes through (the reader of the
 * knowledge base sanitises), and `> [!NOTE]` (TIP, IMPORTANT, WARNING, CAUTION) becomes a `<div class="note-callout">`.
 */
export function renderMarkdown(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml(), callouts],
  });
}

const marker = /^\s*<p>\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\](?:<br \/>)?\s*/;

/** Writes block quotes as micromark does, but looks at the finished content for a callout's marker. */
const callouts: NonNullable<Options['htmlExtensions']>[number] = {
  enter: {
    blockQuote() {
      this.getData('tightStack').push(false);
      this.lineEndingIfNeeded();
      this.buffer();
    },
  },
  exit: {
    blockQuote() {
      this.getData('tightStack').pop();
      const content = this.resume().trim();
      const kind = marker.exec(content)?.[1]?.toLowerCase();
      const inside = content.replace(marker, '<p>').replace(/^<p><\/p>\s*/, '');
      this.tag(kind ? `<div class="${kind}-callout">` : '<blockquote>');
      this.raw(kind ? `\n${inside}\n` : `\n${content}\n`);
      this.tag(kind ? '</div>' : '</blockquote>');
      this.setData('slurpAllLineEndings');
    },
  },
};
