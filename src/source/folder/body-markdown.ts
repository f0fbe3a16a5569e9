import { createHash } from 'node:crypto';
import type { ContentPolicy, ContentProblem } from '../../content/document.ts';
import { type AuthorDocument, readForAuthor } from '../../content/transform.ts';
import { extensionOf, maxImageBytes, renderMarkdown } from './render-markdown.ts';

/** A body of the knowledge base as a writer edits it. */
type BodyForm =
  | {
      readonly kind: 'markdown';
      /** Without a line feed at the end. */
      readonly markdown: string;
      /** Images that were `data:` URLs: file name → content. */
      readonly images: ReadonlyMap<string, Buffer>;
    }
  /** The body stays HTML. */
  | { readonly kind: 'html'; readonly reason: string };

/** Returns the form of a body in a language. */
export type ToBodyForm = (body: string, language: string) => BodyForm;

const players = 'embedded video, audio or pages';

/** Content that is not published unchanged, so that an edit of the published text would lose it. */
const lost: Partial<Readonly<Record<ContentProblem['code'], string>>> = {
  EMBED_REPLACED: players,
  HIDDEN_TEXT: 'hidden text',
  IMAGE_REFUSED: 'images that are not published',
  URL_RELATIVE: 'images that are not published',
  ELEMENT_DROPPED: 'elements that are not published',
  TEXT_TOO_COMPLEX: 'elements that are not published',
};

/**
 * Converts a body to Markdown, if rendering the Markdown gives the same page: the content stage must produce the same HTML and text. Tables and
 * players become HTML in the Markdown if it cannot express one of them.
 */
export function bodyToMarkdown(body: string, policy: ContentPolicy, language: string): BodyForm {
  if (body === '') return { kind: 'markdown', markdown: '', images: new Map() };
  const form = convert(body, policy, language, 'author');
  return form.kind === 'html' ? convert(body, policy, language, 'author-html') : form;
}

function convert(
  body: string,
  policy: ContentPolicy,
  language: string,
  reader: 'author' | 'author-html',
): BodyForm {
  const images = new Images();
  const read = (html: string): AuthorDocument =>
    readForAuthor(
      html,
      {
        baseUrl: base,
        language,
        policy,
        sourceHeadingIds: null,
        resolveImage: (src) => ({ src: images.addressOf(src), width: null, height: null }),
        // URLs do not change; Markdown cannot express white space in them.
        resolveLink: (href) => {
          const address = href.replace(/\s/g, encodeURIComponent);
          return {
            kind: 'internal',
            href: address,
            url: address,
            articleId: null,
            categoryId: null,
            hreflang: null,
          };
        },
      },
      reader,
    );
  const before = read(body);
  const markdown = /[☐☑]|&#/.test(body) ? before.markdown : writeTasks(before.markdown);
  const { refusal } = images;
  if (refusal !== null) return { kind: 'html', reason: refusal };
  const problem = before.problems.find(({ code }) => lost[code] !== undefined);
  if (problem !== undefined) return { kind: 'html', reason: lost[problem.code] ?? '' };
  let isBounded = true;
  const rendered = renderMarkdown(markdown, () => {
    isBounded = false;
  });
  if (!isBounded) return { kind: 'html', reason: 'very long paragraphs' };
  const after = read(rendered);
  if (sortMarks(before.html) === sortMarks(after.html) && before.text === after.text) {
    return { kind: 'markdown', markdown: markdown.replace(/\n$/, ''), images: images.files };
  }
  return { kind: 'html', reason: /<(?:iframe|video|audio)\b/.test(before.html) ? players : 'other markup' };
}

/** Writes items with a box to tick as Markdown has them: the content stage shows the box as a character. */
function writeTasks(markdown: string): string {
  return markdown.replace(
    /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)]) )+)([☐☑]) (?=\S)/gm,
    (_all, marks: string, box: string) => `${marks}[${box === '☑' ? 'x' : ' '}] `,
  );
}

/** Gives bold italic text one form: `***a***` is bold in italic text, and looks like italic in bold text. */
function sortMarks(html: string): string {
  return html.replaceAll('<strong><em>', '<em><strong>').replaceAll('</em></strong>', '</strong></em>');
}

const origin = 'https://relative.invalid';
/** A folder that is deep enough for URLs with `../` to stay below it. */
const base = `${origin}/~/~/~/~/`;

/** Gives every image its URL in the Markdown. */
class Images {
  readonly files = new Map<string, Buffer>();
  /** Why the body has to stay HTML. */
  refusal: string | null = null;

  addressOf(src: string): string {
    if (src.startsWith(`${origin}/~/`)) {
      const name = src.slice(base.length);
      if (!src.startsWith(base) || !this.files.has(name)) this.refusal ??= 'images with a relative URL';
      return name;
    }
    if (src.startsWith(`${origin}/`)) return src.slice(origin.length);
    const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(src) ?? [];
    if (type === undefined || data === undefined) return src;
    const content = Buffer.from(data, 'base64');
    const extension = extensionOf(type);
    if (extension === null || content.byteLength > maxImageBytes) {
      this.refusal ??= 'embedded images of more than 256 KB';
      return src;
    }
    const name = `image-${createHash('sha256').update(content).digest('hex').slice(0, 12)}${extension}`;
    this.files.set(name, content);
    return name;
  }
}
