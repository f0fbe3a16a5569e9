import { domainToUnicode } from 'node:url';
import { decodePercent, siteHost } from '../../core/addresses.ts';
import { getOrMake } from '../../core/group-by.ts';
import { nameKey } from '../../core/hidden-names.ts';
import { stripInvisible, stripSoftHyphens } from '../../core/invisible.ts';
import type { ExclusionReason } from '../../core/model.ts';
import { replaceSpans, type TextSpan } from '../../core/replace-spans.ts';
import { idOfZendesk, recordPathOfZendesk } from '../../core/zendesk-id.ts';

/** What is known of records that are not public, and of the site's own addresses. */
export interface HiddenSettings {
  /** Origins of the help centre, of which the first is the base of relative URLs in bodies; empty if unknown. */
  readonly hosts: readonly string[];
  /** URL of the published site, with its path; `null` if unknown. */
  readonly siteUrl: string | null;
  /** Ids that exist but are not public. */
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  /** Article ids by the keys of names that only hidden records and translations have (`hidden-names.ts`). */
  readonly hiddenNames: ReadonlyMap<string, string>;
  /** Whether `/hc/<locale>/articles/<id>` of Zendesk Guide is an article, too. */
  readonly hasZendeskUrls: boolean;
}

/** A word that names something hidden, at its position in a text. */
export interface HiddenWord extends TextSpan {
  readonly articleId: string;
}

/** `address`: only ids and addresses count; `words`: also slugs and names of files, as in running text. */
type HiddenScope = 'address' | 'words';

/** Finds what names a record that is not public. */
export interface HiddenFinder {
  /** The id of the article that a URL or word names, or whose hidden translation it names; `null` if there is none. */
  nameIn(word: string): string | null;
  /** All words of a text that name something hidden, in order. */
  locate(text: string, scope: HiddenScope): readonly HiddenWord[];
  /** The words of a text that would name something hidden if it were: the same for every state of the records. */
  listNames(text: string, scope: HiddenScope): readonly string[];
  /** A text for a report: ids instead of addresses and slugs. */
  mask(text: string): string;
  /** Says that an article is not public. */
  describe(articleId: string): string;
}

/** Host of relative URLs, so that they are parseable; it is an own host. */
export const placeholderHost = 'relative.invalid';

/**
 * Creates the one answer to "does this name something hidden?", for links, texts, attributes, metadata and reports. An id counts
 * everywhere, also inside the URL of another site. A path or a slug counts in a URL of the site. In running text, a slug counts only if it
 * has at least four words, and the name of a file only if it has at least two: shorter ones are normal words.
 */
export function createHiddenFinder(settings: HiddenSettings): HiddenFinder {
  const { excluded, hiddenNames, hasZendeskUrls } = settings;
  // Of a URL in capital or in small letters. Ids that are made from numbers differ only by case.
  const folded = new Map(
    hasZendeskUrls
      ? []
      : Array.from(excluded.keys()).flatMap((id) => [
          [id.toUpperCase(), id],
          [id.toLowerCase(), id],
        ]),
  );
  const sites = ownSites(settings);
  const hosts = [...sites.keys()].map((host) => host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const ownHost = new RegExp(`(?<![\\w.-])(?:www\\.)?(${hosts})\\.?(?::(?:80|443))?(?![\\w.:-])`, 'gi');

  // A search for the bare host, whatever is around it, is four times as fast.
  const anyHost = new RegExp(hosts, 'i');

  const nameOf = (kind: 'path' | 'segment' | 'file', name: string): string | null => {
    const key = hiddenNames.size === 0 ? null : nameKey(kind, name);
    return key === null ? null : (hiddenNames.get(key) ?? null);
  };

  /** @param isAddress also an id that could be a word counts */
  function findId(text: string, isAddress: boolean): string | null {
    if (excluded.size === 0) return null;
    for (const { 0: token, index } of text.matchAll(idToken)) {
      const id = excluded.has(token) ? token : folded.get(token);
      if (id === undefined) continue;
      if (isAddress || isDistinctive(token) || /article[/=:]$/i.test(text.slice(0, index))) return id;
    }
    if (!hasZendeskUrls) return null;
    for (const [number] of text.matchAll(zendeskNumber)) {
      const id = idOfZendesk(Number(number));
      if (excluded.has(id)) return id;
    }
    return null;
  }

  /** The hidden page of the own URLs in a text whose spelling is plain. */
  function findPage(text: string): string | null {
    for (const match of text.matchAll(ownHost)) {
      const after = match.index + match[0].length;
      const rest = text.slice(after, after + maxWordChars);
      const [path = ''] = /^[^?#\s]*/.exec(rest) ?? [];
      for (const base of sites.get(match[1]?.toLowerCase() ?? '') ?? []) {
        if (!`${path}/`.startsWith(`${base}/`)) continue;
        const inSite = path.slice(base.length);
        const found =
          findId(rest, true) ??
          findZendesk(inSite) ??
          nameOf('path', inSite) ??
          rest
            .slice(base.length)
            .split(/[/?#&=+,;:!\s]+/)
            .map((part) => nameOf('segment', part) ?? nameOf('segment', part.replace(idAndHyphen, '')))
            .find((id) => id !== null);
        if (found !== undefined && found !== null) return found;
      }
    }
    return null;
  }

  function findZendesk(path: string): string | null {
    const [, id = ''] = (hasZendeskUrls && /^\/article\/(.*)$/.exec(recordPathOfZendesk(path) ?? '')) || [];
    return excluded.has(id) ? id : null;
  }

  function findName(word: string): string | null {
    const name = word.split(/[/\\]/).at(-1) ?? '';
    if (isFileName.test(name)) return nameOf('file', name);
    return isLongSlug(word) ? nameOf('segment', word) : null;
  }

  const isNothingHidden = excluded.size === 0 && hiddenNames.size === 0;

  function nameIn(word: string): string | null {
    if (isNothingHidden) return null;
    const plain = plainSpelling(word);
    return findId(plain, false) ?? findPage(plain) ?? findName(plain.replace(/^[.,:;!?]+|[.,:;!?]+$/g, ''));
  }

  /** Words of a text that have the form of an id, an own address or a name. */
  function listWords(text: string, scope: HiddenScope): readonly (readonly [start: number, end: number])[] {
    const words: (readonly [number, number])[] = [];
    /** @returns where it ends */
    const addWordAt = (index: number): number => {
      const word = wordAt(text, index);
      words.push(word);
      return word[1];
    };
    const addAll = (pattern: RegExp): void => {
      let known = 0;
      for (const { index } of text.matchAll(pattern)) if (index >= known) known = addWordAt(index);
    };
    distinctive.lastIndex = 0;
    while (distinctive.test(text)) {
      const [start, end] = tokenAt(text, distinctive.lastIndex - 1);
      distinctive.lastIndex = end - start === 10 ? addWordAt(start) : end;
    }
    addAll(articlePath);
    if (hasZendeskUrls) addAll(zendeskNumber);
    if (anyHost.test(text)) addAll(ownHost);
    addAll(oddSpelling);
    if (scope === 'words') addAll(slugForm);
    if (scope === 'words' && /\.m(?:d|arkdown)/i.test(text)) addAll(fileForm);
    let end = 0;
    return words
      .sort(([a], [b]) => a - b)
      .filter(([start, until]) => {
        const isNew = start >= end;
        if (isNew) end = until;
        return isNew;
      });
  }

  function locate(text: string, scope: HiddenScope): readonly HiddenWord[] {
    if (isNothingHidden) return [];
    return listWords(text, scope).flatMap(([start, end]) => {
      const articleId = nameIn(text.slice(start, end));
      return articleId === null ? [] : [{ start, end: trimmedEnd(text, start, end), articleId }];
    });
  }

  return {
    nameIn,
    locate,
    listNames: (text, scope) => [
      ...new Set(
        listWords(text, scope).flatMap(([start, end]) => {
          const word = plainSpelling(text.slice(start, end));
          if (word.search(ownHost) >= 0 || word.search(articlePath) >= 0) return [word];
          const ids = word.match(idToken)?.filter(isDistinctive) ?? [];
          const numbers = (hasZendeskUrls && word.match(zendeskNumber)) || [];
          return [
            ...ids,
            ...numbers,
            ...(scope === 'words' && (word.search(slugForm) >= 0 || word.search(fileForm) >= 0)
              ? [word]
              : []),
          ];
        }),
      ),
    ],
    mask: (text) => replaceSpans(text, locate(text, 'address'), ({ articleId }) => articleId),
    describe(articleId) {
      const reason = excluded.get(articleId);
      return reason === undefined
        ? `points to a translation of the article ${articleId} that is not public`
        : `points to the article ${articleId}, which is not public (${reason})`;
    },
  };
}

/** What a text has instead of a word that was cut. */
export const cutWord = '…';

/** The own hosts, in every spelling, with the paths below which their pages are. */
function ownSites({ hosts, siteUrl }: HiddenSettings): ReadonlyMap<string, readonly string[]> {
  const sites = new Map<string, string[]>();
  const add = (host: string, base: string): void => {
    const [, name = '', port = ''] = /^(.*?)(:\d+)?$/.exec(host) ?? [];
    for (const spelling of new Set([host, (domainToUnicode(name) || name) + port])) {
      getOrMake(sites, spelling.toLowerCase(), () => []).push(base);
    }
  };
  for (const host of hosts) add(siteHost(new URL(host)), '');
  if (siteUrl !== null) {
    const url = new URL(siteUrl);
    add(siteHost(url), decodePercent(url.pathname).replace(/\/+$/, ''));
  }
  add(placeholderHost, '');
  return sites;
}

/** A part of a text as long as an id. */
const idToken = /(?<![0-9A-Za-z])[0-9A-Za-z]{10}(?![0-9A-Za-z])/g;

const articlePath = /\barticle[/=:][0-9A-Za-z]{10}(?![0-9A-Za-z])/gi;

/** The number of an article of Zendesk Guide. */
const zendeskNumber = /(?<![0-9A-Za-z])\d{8,16}(?![0-9A-Za-z])/g;

const idAndHyphen = /^[0-9A-Za-z]{10}-/;

/** Matches what words do not have. Searching for it is three times as fast as searching for {@link idToken}. */
const distinctive = /\d|[a-z][A-Z]/g;

/** Whether an id cannot be a word. */
function isDistinctive(token: string): boolean {
  return token.search(distinctive) >= 0;
}

/** The start and end of the letters and digits around a position. */
function tokenAt(text: string, index: number): readonly [start: number, end: number] {
  let start = index;
  while (isAlphanumeric(text.charCodeAt(start - 1))) start -= 1;
  let end = index + 1;
  while (isAlphanumeric(text.charCodeAt(end))) end += 1;
  return [start, end];
}

function isAlphanumeric(code: number): boolean {
  return (code > 47 && code < 58) || (code > 64 && code < 91) || (code > 96 && code < 123);
}

/** Matches what another spelling of an address has: percent-encoding, references, full-width and invisible characters, backslashes. */
const oddSpelling =
  /%(?:[2-7][\dA-Fa-f]|[Cc]2%[Aa][Dd]|[Ee]2%8[01]|[Ee][Ff]%[Bb][B-Db-d])|&(?:amp;)?(?:#|period|sol|colon|hyphen)|[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]|[\u00ad\u200b-\u200d\u2060\u3002\uff0e\uff0f\uff1a\uff61](?<=[A-Za-z0-9/.:].)|\\/g;
const isSpelledOddly = new RegExp(oddSpelling.source);

/** The form of a slug with at least four words. */
const slugForm = /-[\p{L}\p{N}]{1,60}-[\p{L}\p{N}]{1,60}-/gu;

/** The form of the name of a page's file with at least two words. */
const fileForm = /[-_\d][^\s./\\]{0,100}\.(?:mdx?|markdown)\b/gi;

const isFileName = /^[^\s/]*[-_\d][^\s/]*\.(?:mdx?|markdown)$/i;

function isLongSlug(word: string): boolean {
  return word.length >= 20 && /^[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+){3,}$/u.test(word);
}

/** The one spelling of a text that may be encoded, also several times. */
function plainSpelling(text: string): string {
  if (!isSpelledOddly.test(text) && !/[\t\n\r]/.test(text)) return text;
  let plain = text;
  for (let round = 0; round < 4; round += 1) {
    const decoded = plain
      .replace(/&amp;/gi, '&')
      .replace(/&(?:#(x[0-9a-f]{1,6}|\d{1,7})|(period|sol|colon|hyphen));?/gi, decodeReference)
      .replace(/(?:%[0-9a-f]{2})+/gi, decodePercent);
    if (decoded === plain) break;
    plain = decoded;
  }
  return stripSoftHyphens(stripInvisible(plain))
    .replace(/[\t\n\r\u200c\u200d]/g, '')
    .replace(/[\u3002\uff61]/g, '.')
    .normalize('NFKC')
    .replaceAll('\\', '/');
}

const references: Readonly<Record<string, string>> = { period: '.', sol: '/', colon: ':', hyphen: '-' };

function decodeReference(whole: string, number: string | undefined, name: string | undefined): string {
  if (number === undefined) return references[name?.toLowerCase() ?? ''] ?? whole;
  const code = /^x/i.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

/** Characters of a URL in a text. Letters of scripts without spaces between words are not among them. */
const urlCharacter =
  /[!#$%&*+,\-./0-9:;=?@A-Z\\_a-z~\u00ad\u00c0-\u0dff\u0f00-\u0fff\u1100-\u177f\u1800-\u1fff\u200b-\u200d\u2060-\u2064\u3002\ufeff\uff01-\uff5e\uff61]/;

/** A letter of a script without spaces, which belongs to a URL only directly after its own characters, such as a slug. */
const joinedCharacter =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\ud800-\udfff]/;

/** A longer word without a space is not read as one. */
const maxWordChars = 4000;

/** The start and end of the URL or word at a position of a text. */
function wordAt(text: string, index: number): readonly [start: number, end: number] {
  let start = index;
  const first = Math.max(0, index - maxWordChars);
  while (start > first && urlCharacter.test(text.charAt(start - 1))) start -= 1;
  let end = index;
  const last = Math.min(text.length, index + maxWordChars);
  for (; end < last; end += 1) {
    const character = text.charAt(end);
    if (urlCharacter.test(character)) continue;
    const before = text.charAt(end - 1);
    if (!joinedCharacter.test(character) || !(/[-/=_]/.test(before) || joinedCharacter.test(before))) break;
  }
  return [start, end];
}

/** The end of a word without the punctuation of the sentence. */
function trimmedEnd(text: string, start: number, end: number): number {
  return start + text.slice(start, end).replace(/[.,:;!?\u3002\uff01\uff0c\uff1a\uff1b\uff1f]+$/, '').length;
}
