import { transform } from '../../content/transform.ts';
import { languageCode } from '../../core/api/fields.ts';
import { limits } from '../../core/api/record-text.ts';
import { textDirection } from '../../core/language.ts';
import { problemKinds } from '../../core/problems.ts';
import { z } from '../../core/schema.ts';

/** Body of `POST /editor/preview`. */
export const previewRequest = z.strictObject({
  language: languageCode,
  body: z.string().max(limits.bodyCharacters),
});

/** How a body is published. */
interface PreviewedBody {
  /** Safe HTML, as in the page. */
  readonly html: string;
  readonly direction: 'ltr' | 'rtl';
  /** What the author should know about the text. */
  readonly problems: readonly { readonly message: string; readonly hint: string }[];
}

/**
 * Makes the HTML that a build publishes, with two differences: links stay as they are written, because only a build knows the pages, and
 * every player is a link, because the page of the editor allows no frame of another site.
 * @param baseUrl URL of the help centre, which relative URLs refer to; `''` if it is not known
 */
export function previewBody(
  { body, language }: z.output<typeof previewRequest>,
  baseUrl: string,
): PreviewedBody {
  const { html, problems } = transform(body, {
    baseUrl: baseUrl === '' ? null : baseUrl,
    language,
    resolveLink: () => ({ kind: 'external' }),
    resolveImage: (src) => ({ src, width: null, height: null }),
    sourceHeadingIds: null,
    policy: { iframeHosts: [], classes: [], callouts: {} },
  });
  return {
    html,
    direction: textDirection(language),
    problems: problems.map(({ code, message }) =>
      code === 'EMBED_REPLACED'
        ? {
            message,
            hint: 'The preview shows a link. The site shows the player if it comes from a trusted host.',
          }
        : { message, hint: problemKinds[code].hint },
    ),
  };
}
