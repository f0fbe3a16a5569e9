import { describeLeftMarkup } from '../../../core/left-markup.ts';
import type { ProblemCode } from '../../../core/problems.ts';
import { CodeStore } from './code-store.ts';
import { removeComments } from './comments.ts';
import { convertDefinitionLists } from './definition-lists.ts';
import { findLeftovers } from './leftovers.ts';
import { markMath } from './math.ts';
import { escapePlaceholders } from './placeholders.ts';
import { replaceWikiLinks } from './wiki-links.ts';

/** What the Markdown of a page depends on. */
interface MarkdownReading {
  /** Whether `$…$` is a formula. */
  readonly hasMath: boolean;
  readonly isVault: boolean;
  /** The paths of the files that a wiki link names, from the top folder, with a slash before each. */
  readonly findByName: (name: string) => readonly string[];
  readonly report: (code: ProblemCode, message: string) => void;
}

/**
 * Converts what authors write beside GitHub-flavoured Markdown to Markdown and HTML: wiki links and embeds, formulas, marks, definition
 * lists. Removes comments. Code does not change. Syntax of site generators stays as it is written, and is reported.
 * @param text without front matter, with line ends of `\n`
 */
export function readMarkdown(
  text: string,
  { hasMath, isVault, findByName, report }: MarkdownReading,
): string {
  const code = new CodeStore();
  const unknown = (what: string): void => report('COMMENT_REMOVED', `${what} is not published`);
  const uncommented = removeComments(code.hide(text), unknown);
  for (const what of findLostNotes(uncommented)) unknown(what);
  const isDefined = /^ {0,3}\[TOC\]:/im.test(uncommented);
  const shown = uncommented.replace(contents, (line, name: string | undefined) =>
    (name === undefined ? isDefined : findByName(name).length > 0) ? line : '',
  );
  const plain = hasMath ? markMath(shown, code) : shown;
  for (const [name, count] of findLeftovers(plain, code))
    report('MARKUP_UNKNOWN', describeLeftMarkup({ name, count }));
  const enclosed = plain.replace(sizedImage, '$1 "=$2"').replace(spacedTarget, '](<$1>');
  const linked = replaceWikiLinks(enclosed, code, findByName, report, isVault);
  const marked = convertDefinitionLists(linked)
    .replace(aside, '<aside>\n\n')
    .replace(mark, '<mark>$1</mark>')
    .replace(isVault ? blockIdOfVault : blockId, '');
  return code.restore(escapePlaceholders(marked));
}

const note = /^[ \t>]*\[\^([^\s[\]]+)\]:/gm;

/** The footnotes that a renderer does not show: no text has their mark, or an earlier one has the same. */
function findLostNotes(text: string): readonly string[] {
  const marks = text.replace(note, '').matchAll(/\[\^([^\s[\]]+)\]/g);
  const marked = new Set([...marks].map(([, name = '']) => name.toLowerCase()));
  const seen = new Set<string>();
  return [...text.matchAll(note)].flatMap(([, name = '']) => {
    const key = name.toLowerCase();
    const isSecond = seen.has(key);
    seen.add(key);
    if (!marked.has(key)) return [`the footnote [^${name}], whose mark no text has,`];
    return isSecond ? [`the second footnote [^${name}]`] : [];
  });
}

/** The name of a file with blanks, which CommonMark allows only between angle brackets: `![](my image.png)`. */
const spacedTarget =
  /\]\((?=[^\s()<>]{1,300} )((?:[^()<>"'\n]|\([^()<>"'\n]*\))+?\.(?:png|jpe?g|gif|webp|avif|svg|pdf|mp4|mdx?|html?)(?:#[\w-]+)?)(?=\)|[ \t]+["'])/gi;

/** An image with its size, as Azure DevOps and HackMD write it: `![](photo.png =600x300)`. Until it is rendered, its title is the size. */
const sizedImage =
  /(!\[[^[\]\n]*\]\((?:<[^<>\n]*>|[^\s()<>]+))(?:[ \t]+"[^"\n]*")?[ \t]+=((?:\d{1,4}%?)?x(?:\d{1,4}%?)?)(?=[ \t]*\))/gi;

/** Where other programs put a list of the headings, which the page has beside its text. It may be a link of the author, too. */
const contents = /^ {0,3}(?:\[TOC\]|\[\[(_?TOC_?)\]\])[ \t]*$/gim;

/** A callout in an export of Notion, without the blank line below which its Markdown would begin. */
const aside = /^<aside>\n(?=[^\s<])/gm;

/** `==text==`, as vaults and others write marked text. A comparison has blanks inside. */
const mark = /(?<![=\w])==(?=[^\s=])([^=\n]*[^\s=])==(?![=\w])/g;

/** The id of a block at the end of its line, which a vault makes. */
const blockId = /[ \t]\^[0-9a-z]{6}[ \t]*$/gm;

/** In a vault, authors choose ids, too, and write those of lists and tables on a line below. */
const blockIdOfVault = /(?:^|[ \t])\^[0-9a-z-]+[ \t]*$/gim;
