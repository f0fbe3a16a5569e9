import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

/** Attributes that the published HTML may have, by element; listed separately from the code on purpose. */
const allowed: Readonly<Record<string, string>> = {
  p: '',
  div: 'role tabindex aria-label',
  blockquote: 'cite',
  figure: '',
  figcaption: '',
  details: 'open',
  summary: '',
  aside: 'aria-label',
  h2: '',
  h3: '',
  h4: '',
  h5: '',
  h6: '',
  hr: '',
  br: '',
  wbr: '',
  pre: 'tabindex',
  code: '',
  ul: '',
  ol: 'start type reversed',
  li: 'value',
  dl: '',
  dt: '',
  dd: '',
  table: '',
  caption: '',
  thead: '',
  tbody: '',
  tfoot: '',
  tr: '',
  td: 'colspan rowspan',
  th: 'colspan rowspan scope',
  a: 'href target rel hreflang',
  abbr: 'title',
  b: '',
  bdi: '',
  bdo: '',
  cite: '',
  del: '',
  dfn: 'title',
  em: '',
  i: '',
  ins: '',
  kbd: '',
  mark: '',
  q: 'cite',
  s: '',
  samp: '',
  small: '',
  span: '',
  strong: '',
  sub: '',
  sup: '',
  u: '',
  var: '',
  img: 'src alt width height loading',
  iframe: 'src title width height loading sandbox referrerpolicy allowfullscreen',
  video: 'src controls preload title poster width height',
  audio: 'src controls preload title',
};

/** Of formulas: elements without links, actions and embedded HTML. */
const mathMl =
  'math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom menclose msub msup msubsup munder mover munderover mtable mtr mtd'.split(
    ' ',
  );
const mathMlAttributes =
  /^(?:display|mathvariant|displaystyle|scriptlevel|stretchy|fence|separator|form|[lr]space|symmetric|largeop|movablelimits|m(?:in|ax)size|accent(?:under)?|linethickness|width|height|depth|voffset|(?:column|row)(?:align|spacing|lines|span)|notation)$/;

const everywhere = ['id', 'class', 'lang', 'dir'];

const addresses: Readonly<Record<string, RegExp>> = {
  href: /^(?:https?:\/\/|mailto:|tel:|#|\/)/,
  src: /^(?:https?:\/\/|data:image\/(?:png|gif|jpeg|webp|avif);base64,)/,
  poster: /^https?:\/\//,
  cite: /^https?:\/\//,
};

const classes =
  /^(?:callout(?:-(?:note|tip|important|warning|caution))?|table-scroll|table-wide|embed|image-block|align-\w+|width-\d+|indent-[123]|list-[a-z-]+|language-\S+|hljs-\S+|\w+_)$/;

/** Everything in published HTML that the policy does not allow, as a browser would see it; `[]` when it is safe. */
export function findViolations(html: string): string[] {
  const violations: string[] = [];
  const ids = new Set<string>();
  const open: { childNodes: DefaultTreeAdapterTypes.ChildNode[] }[] = [parseFragment(html)];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const node of parent.childNodes) {
      if (defaultTreeAdapter.isCommentNode(node)) violations.push('comment');
      if (!defaultTreeAdapter.isElementNode(node)) continue;
      open.push(node);
      violations.push(...judge(node, ids));
    }
  }
  return violations;
}

function judge(element: Element, ids: Set<string>): string[] {
  const { tagName, attrs, namespaceURI } = element;
  if (namespaceURI === 'http://www.w3.org/1998/Math/MathML' && mathMl.includes(tagName))
    return attrs.flatMap(({ name }) => (mathMlAttributes.test(name) ? [] : [`<${tagName} ${name}>`]));
  const names = allowed[tagName];
  if (names === undefined || namespaceURI !== 'http://www.w3.org/1999/xhtml') return [`<${tagName}>`];
  return attrs.flatMap(({ name, value }) => {
    const where = `<${tagName} ${name}=${JSON.stringify(value.slice(0, 60))}>`;
    if (!everywhere.includes(name) && !names.split(' ').includes(name)) return [where];
    if (addresses[name]?.test(value) === false) return [where];
    if (name === 'class' && !value.split(' ').every((one) => classes.test(one))) return [where];
    if (name !== 'id') return [];
    const isDuplicate = ids.has(value);
    ids.add(value);
    // On these, an id or name can replace a property of `document`.
    const canClobber = ['a', 'img', 'iframe', 'video', 'audio'].includes(tagName);
    return isDuplicate || canClobber || /\s/.test(value) || value === '' ? [where] : [];
  });
}
