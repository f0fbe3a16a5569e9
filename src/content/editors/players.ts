import {
  isAlone,
  moveContent,
  newElement,
  rename,
  replace,
  shortText,
  textNode,
} from '../parse/edit-tree.ts';
import { rawText } from '../parse/raw-text.ts';
import { attribute, childrenOf, link, type SourceNode, unlink } from '../parse/source-tree.ts';
import { isInCode } from './code.ts';
import { classAfter, type EditorRule, type RewriteNotes } from './editor-rule.ts';
import { separateFromText } from './figures.ts';

/** Where the players of known providers are: the address that people copy, and that of the player. */
const playerAddresses: readonly (readonly [address: RegExp, player: string])[] = [
  [
    /^(?:https?:)?\/\/(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|shorts\/|live\/|embed\/|v\/)([\w-]+)/,
    'https://www.youtube-nocookie.com/embed/$1',
  ],
  [/^(?:https?:)?\/\/youtu\.be\/([\w-]+)/, 'https://www.youtube-nocookie.com/embed/$1'],
  [/^(?:https?:)?\/\/player\.vimeo\.com\/video\/(\d+.*)/, 'https://player.vimeo.com/video/$1'],
  [/^(?:https?:)?\/\/(?:www\.)?vimeo\.com\/(\d+)\/(\w+)/, 'https://player.vimeo.com/video/$1?h=$2'],
  [/^(?:https?:)?\/\/(?:www\.)?vimeo\.com\/(\d+)/, 'https://player.vimeo.com/video/$1'],
  [/^(?:https?:)?\/\/(?:www\.)?loom\.com\/(?:share|embed)\/(\w+)/, 'https://www.loom.com/embed/$1'],
  [
    /^(?:https?:)?\/\/(?:[\w-]+\.)?(?:wistia\.com|wi\.st)\/medias\/(\w+)/,
    'https://fast.wistia.net/embed/iframe/$1',
  ],
  [
    /^(?:https?:)?\/\/fast\.wistia\.(?:net|com)\/embed\/iframe\/(\w+)/,
    'https://fast.wistia.net/embed/iframe/$1',
  ],
  [
    /^(?:https?:)?\/\/(?:video|share|play)\.vidyard\.com\/(?:watch\/)?([\w-]+)/,
    'https://play.vidyard.com/$1',
  ],
  [
    /^(?:https?:)?\/\/(?:www\.)?dailymotion\.com\/(?:embed\/)?video\/(\w+)/,
    'https://www.dailymotion.com/embed/video/$1',
  ],
];

/** Replaces an element by a player of a provider that is known, else by a link. */
export function replaceByPlayer(node: SourceNode, address: string, { remove }: RewriteNotes): void {
  const url = address.trim();
  if (url === '') return;
  const title = titleOf(node);
  const row = playerAddresses.find(([known]) => known.test(url));
  if (row === undefined) {
    const anchor = newElement('a', { href: url });
    if (shortText(node).trim() === '') link(anchor, textNode(title || url), null);
    rename(node, anchor);
    separateFromText(anchor, 'div');
    return;
  }
  const src = url.match(row[0])?.[0].replace(row[0], row[1]) ?? url;
  const player = newElement('iframe', title === '' ? { src } : { src, title });
  const id = attribute(node, 'id');
  // Some have a link to the video, for browsers without scripts.
  const { first } = node;
  const isFallback = first?.name === 'a' && isAlone(first) && row[0].test(attribute(first, 'href') ?? '');
  if (isFallback || rawText(node).trim() === title) {
    remove(node);
    if (id !== null) player.attributes.push({ name: 'id', value: id });
    replace(node, player);
  } else link(rename(node, newElement('div')), player, null);
}

function titleOf(node: SourceNode): string {
  for (const name of ['title', 'aria-label', 'playlabel', 'videotitle', 'video-title', 'data-title', 'alt']) {
    const value = attribute(node, name)?.trim();
    if (value) return value;
  }
  return shortText(node).trim();
}

/** An element of a script that makes a player of it. */
interface PlayerElement extends Omit<EditorRule, 'rewrite'> {
  /** The attribute, or the start of a class, that has the id or the address of the video. */
  readonly from: string;
  /** The address before the id; absent: the value is an address. */
  readonly before?: string;
}

const youTube = 'https://www.youtube.com/watch?v=';
const vimeo = 'https://vimeo.com/';
const wistia = 'https://fast.wistia.net/embed/iframe/';

const playerElements: readonly PlayerElement[] = [
  { editor: 'CKEditor 5', report: 'ckeditor/ckeditor5#1695', on: 'oembed', from: 'url' },
  {
    editor: 'TinyMCE',
    report: 'https://www.tiny.cloud/docs/tinymce/latest/media/',
    on: 'img span',
    hasClass: 'mce-object*',
    from: 'data-mce-p-src',
  },
  {
    editor: 'lite-youtube-embed',
    report: 'https://github.com/paulirish/lite-youtube-embed',
    on: 'lite-youtube',
    from: 'videoid',
    before: youTube,
  },
  {
    editor: 'lite-youtube of other authors',
    report: 'https://www.npmjs.com/package/@justinribeiro/lite-youtube',
    on: 'lite-youtube',
    from: 'video-id',
    before: youTube,
  },
  {
    editor: 'lite-vimeo-embed',
    report: 'https://github.com/luwes/lite-vimeo-embed',
    on: 'lite-vimeo lite-vimeo-embed',
    from: 'videoid',
    before: vimeo,
  },
  {
    editor: 'AMP',
    report: 'https://amp.dev/documentation/components/amp-youtube',
    on: 'amp-youtube',
    from: 'data-videoid',
    before: youTube,
  },
  {
    editor: 'AMP',
    report: 'https://amp.dev/documentation/components/amp-vimeo',
    on: 'amp-vimeo',
    from: 'data-videoid',
    before: vimeo,
  },
  {
    editor: 'media elements',
    report: 'https://github.com/muxinc/media-elements',
    on: 'youtube-video vimeo-video wistia-video dailymotion-video',
    from: 'src',
  },
  {
    editor: 'Wistia',
    report: 'https://docs.wistia.com/docs/embedding-videos',
    on: 'wistia-player',
    from: 'media-id',
    before: wistia,
  },
  {
    editor: 'Wistia',
    report: 'https://docs.wistia.com/docs/embedding-videos',
    on: 'div span p',
    hasClass: 'wistia_async_*',
    from: 'wistia_async_*',
    before: wistia,
  },
  {
    editor: 'Typeform',
    report: 'https://www.typeform.com/developers/embed/',
    on: 'div',
    hasClass: 'typeform-widget',
    from: 'data-url',
  },
  {
    editor: 'Typeform',
    report: 'https://www.typeform.com/developers/embed/',
    on: 'div',
    has: 'data-tf-widget',
    from: 'data-tf-widget',
    before: 'https://form.typeform.com/to/',
  },
  {
    editor: 'Calendly',
    report: 'https://help.calendly.com/hc/en-us/articles/223147027',
    on: 'div',
    hasClass: 'calendly-inline-widget',
    from: 'data-url',
  },
  {
    editor: 'Iframely',
    report: 'ckeditor/ckeditor5#2083',
    on: 'a',
    has: 'data-iframely-url',
    from: 'href',
  },
  {
    editor: 'Vidyard',
    report: 'https://knowledge.vidyard.com',
    hasClass: 'vidyard-player-embed',
    from: 'data-uuid',
    before: 'https://play.vidyard.com/',
  },
];

export const playerRules: readonly EditorRule[] = [
  {
    editor: 'GitHub Gist',
    report: 'https://docs.github.com/en/get-started/writing-on-github/editing-and-sharing-content-with-gists',
    on: 'script',
    has: 'src',
    rewrite(script, notes) {
      const [, gist] =
        /^(?:https?:)?\/\/(gist\.github\.com\/[\w./-]+)\.js(?:[?#]|$)/.exec(attribute(script, 'src') ?? '') ??
        [];
      if (gist === undefined || isInCode(script)) return;
      const place = newElement('span');
      replace(script, place);
      replaceByPlayer(place, `https://${gist}`, notes);
    },
  },
  {
    editor: 'Video.js',
    report: 'videojs/video.js#7056',
    on: 'video',
    // A browser plays files, and no pages.
    rewrite(video, notes) {
      const sources = [video, ...childrenOf(video)].map((one) => attribute(one, 'src')?.trim() ?? '');
      const address = sources.find((src) => src !== '') ?? '';
      if (!playerAddresses.some(([known]) => known.test(address)) || /\.\w{3,4}(?:[?#]|$)/.test(address))
        return;
      for (const part of childrenOf(video)) unlink(part);
      replaceByPlayer(rename(video, newElement('span', { title: titleOf(video) })), address, notes);
    },
  },
  ...playerElements.map(
    ({ from, before = '', ...rule }): EditorRule => ({
      ...rule,
      rewrite(node, notes) {
        const value = from.endsWith('*') ? classAfter(node, from.slice(0, -1)) : attribute(node, from);
        if (value === null) return;
        const id = value.trim();
        if (before !== '' && !/^[\w-]+$/.test(id)) rename(node, newElement('span'));
        else if (id !== '') replaceByPlayer(node, before + id, notes);
      },
    }),
  ),
  {
    editor: 'CKEditor 5',
    report: 'ckeditor/ckeditor5#16210',
    on: 'div figure',
    has: 'data-oembed-url',
    rewrite(node, notes) {
      // With previews in data, the player is inside already.
      for (let at = node.first, steps = 0; at !== null && steps < 20; at = at.first, steps++)
        if (at.name === 'iframe' || at.name === 'video' || at.name === 'oembed') return;
      const holder = newElement('span');
      const title = shortText(node).trim();
      if (title !== '') moveContent(node, holder);
      link(node, holder, null);
      replaceByPlayer(holder, attribute(node, 'data-oembed-url') ?? '', notes);
    },
  },
];
