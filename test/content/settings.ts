import type { ContentSettings } from '../../src/content/document.ts';

/** Settings with only external links and no known images; a test passes its `changes`. */
export function settings(changes: Partial<ContentSettings> = {}): ContentSettings {
  return {
    baseUrl: 'https://help.example.com/',
    language: 'en',
    resolveLink: () => ({ kind: 'external' }),
    resolveImage: (src) => ({ src, width: null, height: null }),
    sourceHeadingIds: null,
    policy: {
      iframeHosts: ['youtube.com', 'youtube-nocookie.com', 'player.vimeo.com'],
      classes: [],
      callouts: {},
    },
    ...changes,
  };
}
