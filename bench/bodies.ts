import { readFileSync } from 'node:fs';
import type { ContentSettings } from '../src/content/document.ts';

/** One body of a knowledge base. */
export interface NamedBody {
  readonly name: string;
  readonly html: string;
}

interface Export {
  readonly articles: readonly {
    readonly article_id: string;
    readonly body?: string;
    readonly multilingual?: readonly { readonly language_code: string; readonly body?: string }[];
  }[];
}

/** Bodies of an export (`{articles: […]}`), all languages, or of a list of `{id, html}`. */
export function readBodies(file: string): NamedBody[] {
  const data = JSON.parse(readFileSync(file, 'utf8')) as
    | Export
    | readonly { readonly id: string; readonly html: string }[];
  if (!('articles' in data)) return data.map(({ id, html }) => ({ name: id, html }));
  return data.articles.flatMap(({ article_id, body = '', multilingual = [] }) => [
    { name: article_id, html: body },
    ...multilingual.map((translation) => ({
      name: `${article_id} ${translation.language_code}`,
      html: translation.body ?? '',
    })),
  ]);
}

/** Settings without known URLs, with the default players trusted. */
export const bodySettings: ContentSettings = {
  baseUrl: 'https://help.example.com/',
  language: 'en',
  resolveLink: () => ({ kind: 'external' }),
  resolveImage: (src) => ({ src, width: null, height: null }),
  sourceHeadingIds: null,
  policy: {
    iframeHosts: ['youtube.com', 'youtube-nocookie.com', 'player.vimeo.com', 'loom.com', 'fast.wistia.net'],
    classes: [],
    callouts: {},
  },
};
