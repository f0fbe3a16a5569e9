/**
 * How an element of the author's body is treated. An element no row names is unwrapped: it is removed, its content stays.
 * `keep` may name the element it becomes, `block` makes it a `div`, `drop` takes the content
 * along, `special` has a rule of its own in the walk.
 */
export type Treatment =
  | { readonly kind: 'keep'; readonly as: string }
  | { readonly kind: 'block' }
  | { readonly kind: 'unwrap' }
  | { readonly kind: 'drop'; readonly isReported: boolean }
  | { readonly kind: 'special'; readonly rule: SpecialElement };

/** Elements with a rule of their own in the walk. */
export type SpecialElement =
  | 'link'
  | 'image'
  | 'iframe'
  | 'media'
  | 'code'
  | 'input'
  | 'break'
  | 'rule'
  | 'button';

interface Row {
  /** Element names, separated by spaces. */
  readonly names: string;
  readonly treatment: Treatment;
  /** Why; `docs/content.md` has the same words. */
  readonly reason: string;
}

const same: Treatment = { kind: 'keep', as: '' };
const block: Treatment = { kind: 'block' };
const unwrap: Treatment = { kind: 'unwrap' };
const drop: Treatment = { kind: 'drop', isReported: false };
const dropReported: Treatment = { kind: 'drop', isReported: true };
const as = (name: string): Treatment => ({ kind: 'keep', as: name });
const special = (rule: SpecialElement): Treatment => ({ kind: 'special', rule });

/** The element policy; the tag itself stays only where a row says so. */
export const elementPolicy: readonly Row[] = [
  {
    names: 'p div blockquote figure figcaption details summary aside',
    treatment: same,
    reason: 'blocks that carry meaning and nothing else',
  },
  {
    names: 'h1 h2 h3 h4 h5 h6',
    treatment: same,
    reason: 'headings; their levels start below the page title',
  },
  { names: 'ul ol li dl dt dd', treatment: same, reason: 'lists' },
  {
    names: 'table caption thead tbody tfoot tr td th',
    treatment: same,
    reason: 'tables; repaired to a regular grid',
  },
  {
    names: 'abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp small span strong sub sup u var',
    treatment: same,
    reason: 'running text; empty ones go, white space moves out of them',
  },
  {
    names: 'a',
    treatment: special('link'),
    reason: 'every address goes through the URL policy and the link resolver',
  },
  {
    names: 'img',
    treatment: special('image'),
    reason: 'every address goes through the URL policy and the image resolver',
  },
  {
    names: 'iframe',
    treatment: special('iframe'),
    reason: 'stays for trusted hosts, sandboxed; becomes a link otherwise',
  },
  {
    names: 'video audio',
    treatment: special('media'),
    reason: 'one source, with controls, never playing by itself',
  },
  {
    names: 'pre listing',
    treatment: special('code'),
    reason: 'code, to the byte; a callout where its class says so',
  },
  { names: 'br', treatment: special('break'), reason: 'line breaks, between text only' },
  { names: 'hr', treatment: special('rule'), reason: 'thematic breaks' },
  {
    names: 'input',
    treatment: special('input'),
    reason: 'a check box becomes ☐ or ☑ so that checklists survive; others go',
  },
  {
    names: 'button',
    treatment: special('button'),
    reason: 'does nothing without a script; the label of an accordion stays as text',
  },
  { names: 'acronym', treatment: as('abbr'), reason: 'obsolete' },
  { names: 'strike', treatment: as('s'), reason: 'obsolete' },
  { names: 'tt', treatment: as('code'), reason: 'obsolete' },
  { names: 'dir menu', treatment: as('ul'), reason: 'obsolete, or meant for commands' },
  {
    names:
      'section article address header footer main nav hgroup center fieldset legend form search dialog body html',
    treatment: block,
    reason: 'landmarks and grouping belong to the page around the body; the content stays as a block',
  },
  {
    names: 'font big blink marquee nobr basefont label picture ruby rb rt rp rtc time data map slot wbr',
    treatment: unwrap,
    reason: 'presentation, or useless without what is dropped; the text stays',
  },
  {
    names:
      'script style template noscript noembed noframes xmp plaintext title head base meta link param source track col colgroup area',
    treatment: drop,
    reason: 'code, raw text or data, never text for a reader',
  },
  {
    names: 'svg math object embed applet canvas portal frame frameset',
    treatment: dropReported,
    reason: 'can run scripts or changes how a browser parses what follows',
  },
  {
    names: 'select option optgroup datalist textarea progress meter output keygen',
    treatment: dropReported,
    reason: 'form controls do nothing on a static page',
  },
];

/** Treatment by element name. */
export const treatments: ReadonlyMap<string, Treatment> = new Map(
  elementPolicy.flatMap(({ names, treatment }) =>
    names
      .split(' ')
      .map(
        (name) => [name, treatment.kind === 'keep' && treatment.as === '' ? as(name) : treatment] as const,
      ),
  ),
);

/** What an element of the sanitised tree may hold; the tree builder keeps to it, so that pages are valid HTML. */
export type Holds = 'flow' | 'text' | 'items' | 'terms' | 'groups' | 'rows' | 'cells' | 'nothing';

/** Where an element is allowed: `text` in running text, `flow` between blocks, the rest in one kind of parent only. */
export type Role = 'text' | 'flow' | 'item' | 'term' | 'group' | 'row' | 'cell';

interface Model {
  readonly role: Role;
  readonly holds: Holds;
}

const text: Model = { role: 'text', holds: 'text' };
const flow: Model = { role: 'flow', holds: 'flow' };
const heading: Model = { role: 'flow', holds: 'text' };
const group: Model = { role: 'group', holds: 'rows' };
const cell: Model = { role: 'cell', holds: 'flow' };

/** Every element the sanitised tree can hold. */
export const contentModels: ReadonlyMap<string, Model> = new Map<string, Model>([
  ['div', flow],
  ['aside', flow],
  ['blockquote', flow],
  ['figure', flow],
  ['details', flow],
  ['figcaption', flow],
  ['summary', heading],
  ['p', heading],
  ['h1', heading],
  ['h2', heading],
  ['h3', heading],
  ['h4', heading],
  ['h5', heading],
  ['h6', heading],
  ['hr', { role: 'flow', holds: 'nothing' }],
  ['pre', { role: 'flow', holds: 'nothing' }],
  ['ul', { role: 'flow', holds: 'items' }],
  ['ol', { role: 'flow', holds: 'items' }],
  ['li', { role: 'item', holds: 'flow' }],
  ['dl', { role: 'flow', holds: 'terms' }],
  ['dt', { role: 'term', holds: 'text' }],
  ['dd', { role: 'term', holds: 'flow' }],
  ['table', { role: 'flow', holds: 'groups' }],
  ['caption', { role: 'group', holds: 'text' }],
  ['thead', group],
  ['tbody', group],
  ['tfoot', group],
  ['tr', { role: 'row', holds: 'cells' }],
  ['td', cell],
  ['th', cell],
  ['a', text],
  ['abbr', text],
  ['b', text],
  ['bdi', text],
  ['bdo', text],
  ['cite', text],
  ['code', text],
  ['del', text],
  ['dfn', text],
  ['em', text],
  ['i', text],
  ['ins', text],
  ['kbd', text],
  ['mark', text],
  ['q', text],
  ['s', text],
  ['samp', text],
  ['small', text],
  ['span', text],
  ['strong', text],
  ['sub', text],
  ['sup', text],
  ['u', text],
  ['var', text],
  ['br', { role: 'text', holds: 'nothing' }],
  ['img', { role: 'text', holds: 'nothing' }],
  ['iframe', { role: 'text', holds: 'nothing' }],
  ['video', { role: 'text', holds: 'nothing' }],
  ['audio', { role: 'text', holds: 'nothing' }],
]);
