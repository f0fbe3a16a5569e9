import DOMPurify from './purify.js';

/** What a body may contain while it is edited; the content stage of a build decides what is published. */
const settings = {
  ALLOWED_TAGS:
    'p div blockquote figure figcaption aside h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr td th abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp small span strong sub sup u var a img br hr pre details summary section'.split(
      ' ',
    ),
  ALLOWED_ATTR:
    'href src alt title class id name lang dir start type reversed value open colspan rowspan scope span width height cite align data-style data-was data-kept data-language contenteditable'.split(
      ' ',
    ),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

/** Pasted text keeps its structure, not the look of the program it comes from. */
const pastedSettings = {
  ...settings,
  ALLOWED_ATTR: 'href src alt title lang dir start type colspan rowspan scope'.split(' '),
};

const { trustedTypes } = globalThis;
/** For documents in which nothing runs or loads: those of DOMParser, and frames in a sandbox. */
const inert = trustedTypes?.createPolicy('lectern-inert', { createHTML: (html) => html });
// Whatever becomes HTML in this page without another policy is cleaned, by the browser: the undo of the text field, for example.
trustedTypes?.createPolicy('default', { createHTML: (html) => DOMPurify.sanitize(html, settings) });

/** Marks HTML that is only used where nothing can run. */
export const markInert = (html) => (inert ? inert.createHTML(html) : html);

function parseInert(html) {
  return new DOMParser().parseFromString(markInert(html), 'text/html').body;
}

function clean(body, chosen) {
  return document.importNode(
    DOMPurify.sanitize(body.innerHTML, { ...chosen, RETURN_DOM_FRAGMENT: true }),
    true,
  );
}

function rename(element, tag) {
  const renamed = element.ownerDocument.createElement(tag);
  for (const { name, value } of [...element.attributes]) renamed.setAttribute(name, value);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
  return renamed;
}

/** Elements that the text field cannot hold. They are shown as a label, and saved as they are. */
const keptElements = 'iframe, video, audio, math, svg, picture, object';
const keptNames = {
  iframe: 'Embedded page',
  video: 'Video',
  audio: 'Sound',
  math: 'Formula',
  svg: 'Drawing',
};
/** Elements that are edited as others, because the text field takes them out. */
const editedAs = { details: 'div', summary: 'p', mark: 'span', section: 'div' };

/** Not known to other pages, so that no pasted text can name an element that was kept. */
const secret = crypto.randomUUID().slice(0, 8);
let keptCount = 0;

/** What was kept of a body, by its mark. */
export const createKept = () => new Map();

/** HTML of an author, which may be hostile, as nodes of the text field. */
export function openHtml(html, kept) {
  const body = parseInert(html);
  for (const element of body.querySelectorAll(keptElements)) {
    if (element.parentElement.closest(keptElements)) continue;
    keptCount += 1;
    const mark = `${secret}-${keptCount}`;
    kept.set(mark, element.outerHTML);
    const source = element.getAttribute('src') ?? element.querySelector('source')?.getAttribute('src');
    const label = body.ownerDocument.createElement('span');
    label.setAttribute('data-kept', mark);
    label.setAttribute('contenteditable', 'false');
    label.textContent = [keptNames[element.localName] ?? 'Element', source].filter(Boolean).join(': ');
    element.replaceWith(label);
  }
  for (const [from, to] of Object.entries(editedAs))
    for (const element of body.querySelectorAll(from)) rename(element, to).setAttribute('data-was', from);
  // The page allows no styles in elements. They are saved as they are.
  for (const element of body.querySelectorAll('[style]')) {
    element.setAttribute('data-style', element.getAttribute('style'));
    element.removeAttribute('style');
  }
  return clean(body, settings);
}

/** Pasted or dropped HTML as nodes of the text field. */
export function openPasted(html) {
  const body = parseInert(html);
  // Google Docs puts everything into an element for bold text that is not bold.
  for (const element of body.querySelectorAll(
    'b[style*="font-weight:normal"], b[style*="font-weight: normal"]',
  ))
    element.replaceWith(...element.childNodes);
  for (const element of body.querySelectorAll('h1')) rename(element, 'h2');
  const fragment = clean(body, pastedSettings);
  for (const element of fragment.querySelectorAll('img:not([src])')) element.remove();
  for (const element of fragment.querySelectorAll('span')) {
    if (element.attributes.length === 0) element.replaceWith(...element.childNodes);
  }
  return fragment;
}

/** The HTML to save. @param html of the text field */
export function closeHtml(html, kept) {
  const body = parseInert(html);
  for (const label of body.querySelectorAll('[data-kept]')) {
    const original = kept.get(label.getAttribute('data-kept'));
    if (original === undefined) label.replaceWith(...label.childNodes);
    else label.replaceWith(...parseInert(original).childNodes);
  }
  for (const element of [...body.querySelectorAll('[data-was]')].reverse()) {
    const tag = element.getAttribute('data-was');
    element.removeAttribute('data-was');
    // Enter in the title of a section makes a second one.
    const isFirst = tag !== 'summary' || element.parentElement.firstElementChild === element;
    if (tag in editedAs && isFirst) rename(element, tag);
  }
  for (const element of body.querySelectorAll('[data-style]')) {
    element.setAttribute('style', element.getAttribute('data-style'));
    element.removeAttribute('data-style');
  }
  for (const element of body.querySelectorAll('[contenteditable]'))
    element.removeAttribute('contenteditable');
  for (const [from, to] of [
    ['b', 'strong'],
    ['i', 'em'],
  ])
    for (const element of body.querySelectorAll(from)) rename(element, to);
  tidySpaces(body);
  const isEmpty = (node) =>
    /^(?:P|DIV)$/.test(node.nodeName) && node.textContent.trim() === '' && !node.querySelector(':not(br)');
  while (body.lastChild && isEmpty(body.lastChild)) body.lastChild.remove();
  return [...body.childNodes]
    .map((node) => (node.nodeType === Node.ELEMENT_NODE ? node.outerHTML : node.textContent.trim()))
    .filter((text) => text !== '')
    .join('\n');
}

/** Removes what browsers add while somebody types: spaces that do not break beside an element, and a line break at the end of a block. */
function tidySpaces(body) {
  const texts = body.ownerDocument.createNodeIterator(body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (node.parentElement.closest('pre') === null) {
      node.data = node.data.replace(/^\u00a0(?=\S)/, ' ').replace(/(?<=[^\s\u00a0])\u00a0$/, ' ');
    }
  }
  for (const line of body.querySelectorAll('br')) {
    const isLast =
      line.nextSibling === null && line.parentElement.matches('p, li, td, th, h1, h2, h3, h4, h5, h6');
    if (isLast && line.previousSibling !== null && line.previousSibling.nodeName !== 'BR') line.remove();
  }
}

/** An author's HTML to look at, not to edit. */
export function showHtml(html) {
  const kept = createKept();
  return openHtml(html ?? '', kept);
}

/** The text of HTML, one line for each block. */
export function linesOf(html) {
  const body = parseInert(html ?? '');
  const blocks = [...body.querySelectorAll('p, h1, h2, h3, h4, h5, h6, li, td, th, pre, dt, dd, summary')];
  const lines = blocks
    .filter((block) => !blocks.some((other) => other !== block && block.contains(other)))
    .map((block) => block.textContent.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
  return lines.length > 0 ? lines : [body.textContent.trim()].filter((text) => text !== '');
}
