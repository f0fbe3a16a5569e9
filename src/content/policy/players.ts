/** Hosts of players, which are named after their provider. */
const providers: Readonly<Record<string, string>> = {
  'youtube.com': 'YouTube',
  'youtube-nocookie.com': 'YouTube',
  'vimeo.com': 'Vimeo',
  'loom.com': 'Loom',
  'wistia.net': 'Wistia',
  'wistia.com': 'Wistia',
  'vidyard.com': 'Vidyard',
  'dailymotion.com': 'Dailymotion',
  'brightcove.net': 'Brightcove',
};

/** By language: a video, and a page embedded in another. `Video` and the English words for languages without a row. */
const words: Readonly<Record<string, readonly [video: string, embed: string]>> = {
  ar: ['فيديو', 'محتوى مضمّن'],
  bg: ['Видео', 'Вградено съдържание'],
  ca: ['Vídeo', 'Contingut incrustat'],
  cs: ['Video', 'Vložený obsah'],
  da: ['Video', 'Indlejret indhold'],
  de: ['Video', 'Eingebetteter Inhalt'],
  el: ['Βίντεο', 'Ενσωματωμένο περιεχόμενο'],
  es: ['Vídeo', 'Contenido incrustado'],
  fa: ['ویدیو', 'محتوای جاسازی‌شده'],
  fi: ['Video', 'Upotettu sisältö'],
  fr: ['Vidéo', 'Contenu intégré'],
  he: ['סרטון', 'תוכן מוטמע'],
  hi: ['वीडियो', 'एम्बेड की गई सामग्री'],
  hu: ['Videó', 'Beágyazott tartalom'],
  id: ['Video', 'Konten tersemat'],
  it: ['Video', 'Contenuto incorporato'],
  ja: ['動画', '埋め込みコンテンツ'],
  ko: ['동영상', '삽입된 콘텐츠'],
  nb: ['Video', 'Innebygd innhold'],
  nl: ['Video', 'Ingesloten inhoud'],
  pl: ['Wideo', 'Osadzona treść'],
  pt: ['Vídeo', 'Conteúdo incorporado'],
  ro: ['Videoclip', 'Conținut încorporat'],
  ru: ['Видео', 'Встроенное содержимое'],
  sk: ['Video', 'Vložený obsah'],
  sv: ['Video', 'Inbäddat innehåll'],
  th: ['วิดีโอ', 'เนื้อหาที่ฝัง'],
  tr: ['Video', 'Yerleştirilmiş içerik'],
  uk: ['Відео', 'Вбудований вміст'],
  vi: ['Video', 'Nội dung nhúng'],
  zh: ['视频', '嵌入内容'],
  'zh-tw': ['影片', '內嵌內容'],
};

/** Name of an embedded page that has no title, in the language of the page: `Video (YouTube)`. */
export function playerName(host: string, language: string): string {
  const tag = language.toLowerCase();
  const [video, embed] = words[tag] ?? words[tag.split('-')[0] ?? ''] ?? ['Video', 'Embedded content'];
  const provider = Object.entries(providers).find(
    ([name]) => host === name || host.endsWith(`.${name}`),
  )?.[1];
  return provider === undefined ? `${embed} (${host})` : `${video} (${provider})`;
}

/** The host of YouTube's player that sets no cookies. Frames of its other hosts are rewritten to it. */
export const cookielessYouTube = 'youtube-nocookie.com';

const youTubeHosts: ReadonlySet<string> = new Set(['youtube.com', 'youtu.be', cookielessYouTube]);

/** Whether frames of a host are those of {@link cookielessYouTube}. */
export function isYouTube(host: string): boolean {
  return youTubeHosts.has(host.replace(/^(?:www|m)\./, ''));
}

/**
 * The hosts whose pages may be framed.
 * @param trusted `content.iframeHosts`. Any host of YouTube there also names its player, which is the page that is framed.
 */
export function framedHosts(trusted: readonly string[]): readonly string[] {
  return trusted.some(isYouTube) ? [...new Set([...trusted, cookielessYouTube])] : trusted;
}
