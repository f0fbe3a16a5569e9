import { orNull } from './errors.ts';

/** Origin of the files of a folder source during a run. RFC 6761 reserves `.invalid`, so it can never be a server. */
export const folderOrigin = 'https://folder.invalid';

/** The URL of a file of the folder, for bodies; the media stage replaces it by the URL of a copy. */
export function folderAddress(path: string): string {
  return `${folderOrigin}/${encodeUrlPath(path)}`;
}

/**
 * The path of a file or page as a URL has it. Signs that a path may contain (RFC 3986, `pchar`) stay, as site generators write them:
 * `@scope/name`, not `%40scope/name`.
 */
export function encodeUrlPath(path: string): string {
  return path
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent))
    .join('/');
}

/** `ArticleTranslation.sourcePath` without the first slash. */
export function relativeSourcePath(sourcePath: string): string {
  return sourcePath.replace(/^\//, '');
}

/**
 * The parsed URL; `null` if it is not valid. `URL.canParse` must not be used: in Node 20, once it is compiled, it finds no URL with a
 * Latin-1 letter (`https://bücher.example/`) valid.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  return orNull(() => new URL(text, base));
}

/** Whether a host is this machine. @param host name or IP address, also as in a URL: `[::1]` */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}

/** A path or fragment without percent-encoding; unchanged if the encoding is invalid. */
export function decodePercent(text: string): string {
  return orNull(() => decodeURIComponent(text)) ?? text;
}

/**
 * A URL with its letters instead of their bytes (`%E3%81%82` → `あ`), as models and people read it. It leads to the same place, and encoding it gives
 * the same URL again: signs, spaces and invisible characters stay encoded, and so does a letter that Unicode normalisation would change.
 */
export function decodeUrlLetters(url: string): string {
  if (!/%[C-F]/.test(url)) return url;
  const readable = url.replace(/(?:%[89A-F][\dA-F])+/g, (bytes) => {
    const decoded = decodePercent(bytes);
    const hidden = /[^\p{L}\p{M}\p{N}]|\p{Default_Ignorable_Code_Point}/gu;
    return decoded === bytes ? bytes : decoded.replace(hidden, encodeURIComponent);
  });
  return readable.normalize('NFC') === readable ? readable : url;
}

/**
 * The host of a URL, with its port, in the form in which two URLs of one site are equal: a site has the same pages with `http` and `https`,
 * with `www.`, and with a dot after the name.
 */
export function siteHost({ host }: Pick<URL, 'host'>): string {
  return host.replace(/^www\./, '').replace(/\.(?=:|$)/, '');
}

/** The path inside the folder, `/`-separated; `null` for every other URL. */
export function folderPath(address: string): string | null {
  if (!address.startsWith(`${folderOrigin}/`)) return null;
  return orNull(() => decodeURIComponent(new URL(address).pathname).slice(1));
}

/**
 * Whether a list of hosts contains the host of a URL. An entry is a host as in URLs (`cdn.example.com`, `cdn.example.com:8443`), or
 * `cdn.example.com:*` for every port.
 */
export function listsHost(hosts: ReadonlySet<string>, { host, hostname }: URL): boolean {
  return hosts.has(host) || hosts.has(`${hostname}:*`);
}

const commonAttachments =
  'pdf doc docx xls xlsx ppt pptx odt ods odp rtf csv tsv txt epub ics vcf zip gz tgz tar bz2 xz 7z rar ' +
  'mp4 webm mov mp3 m4a wav ogg dmg pkg exe msi apk deb rpm iso bin hex dwg dxf step stp stl';

/**
 * Endings of linked files that a build copies, besides images. Files that browsers show instead of saving are none: they could run scripts on the
 * origin of the help site. Nor are settings and sources, which a link may lead to by mistake.
 * @param more those of `media.attachments`
 */
export function attachmentEndings(more: readonly string[]): ReadonlySet<string> {
  return new Set([...commonAttachments.split(' '), ...more]);
}
