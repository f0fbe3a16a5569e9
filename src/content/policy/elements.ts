/**
 * How an element of the author's body is treated. An element without a row is unwrapped: the element is removed, its content stays. `keep`
 * may rename the element, `drop` removes it with its content, `special` calls its own function.
 */
export type Treatment =
  | { readonly kind: 'keep'; readonly as: string }
  | { readonly kind: 'drop'; readonly isReported: boolean }
  | { readonly kind: 'special'; readonly rule: SpecialElement };

/** Elements that have their own function. */
export type SpecialElement =
  | 'link'
  | 'image'
  | 'iframe'
  | 'media'
  | 'code'
  | 'input'
  | 'math'
  | 'break'
  | 'rule'
  | 'button';

const same: Treatment = { kind: 'keep', as: '' };
const drop: Treatment = { kind: 'drop', isReported: false };
const dropReported: Treatment = { kind: 'drop', isReported: true };
const as = (name: string): Treatment => ({ kind: 'keep', as: name });
const special = (rule: SpecialElement): Treatment => ({ kind: 'special', rule });

/** The element policy, by element names that are separated by spaces. An element is published only if a row says so. */
const elementPolicy: readonly (readonly [names: string, treatment: Treatment])[] = [
  ['p div blockquote figure figcaption details summary aside h1 h2 h3 h4 h5 h6 ul ol li dl dt dd', same],
  ['table caption thead tbody tfoot tr td th', same],
  ['abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp small span strong sub sup u var', same],
  ['a', special('link')],
  ['img', special('image')],
  ['iframe', special('iframe')],
  ['video audio', special('media')],
  ['pre listing', special('code')],
  ['math', special('math')],
  ['br', special('break')],
  ['hr', special('rule')],
  ['input', special('input')],
  ['button', special('button')],
  ['acronym', as('abbr')],
  ['strike', as('s')],
  ['tt', as('code')],
  ['dir menu', as('ul')],
  [
    'section article address header footer main nav hgroup center fieldset legend form search dialog body html',
    as('div'),
  ],
  ['script style noscript noembed noframes title head base meta link param source track col colgroup', drop],
  ['svg object embed applet canvas portal frame frameset xmp plaintext area template', dropReported],
  ['select option optgroup datalist textarea progress meter keygen', dropReported],
];

const treatments: ReadonlyMap<string, Treatment> = new Map(
  byName(elementPolicy).map(([name, treatment]) => [name, treatment === same ? as(name) : treatment]),
);

/** The rows of a table, one for each of their names. */
export function byName<Value>(table: readonly (readonly [names: string, value: Value])[]) {
  return table.flatMap(([names, value]) => names.split(' ').map((name) => [name, value] as const));
}

/** Elements without content. */
export const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/** Content model of an element of the sanitised tree; the tree builder enforces it, so that pages are valid HTML. */
export type Holds = 'flow' | 'text' | 'items' | 'terms' | 'groups' | 'rows' | 'cells' | 'nothing';

/** Where an element is allowed: `text` in running text, `flow` between blocks, the others in one kind of parent only. */
export type Role = 'text' | 'flow' | 'item' | 'term' | 'group' | 'row' | 'cell';

interface Model {
  readonly role: Role;
  readonly holds: Holds;
}

/** The content model of every element that the sanitised tree can contain, by element names that are separated by spaces. */
const contentModels: ReadonlyMap<string, Model> = new Map(
  byName<Model>([
    ['div aside blockquote figure details figcaption', { role: 'flow', holds: 'flow' }],
    ['summary p h1 h2 h3 h4 h5 h6', { role: 'flow', holds: 'text' }],
    ['hr pre', { role: 'flow', holds: 'nothing' }],
    ['ul ol', { role: 'flow', holds: 'items' }],
    ['li', { role: 'item', holds: 'flow' }],
    ['dl', { role: 'flow', holds: 'terms' }],
    ['dt', { role: 'term', holds: 'text' }],
    ['dd', { role: 'term', holds: 'flow' }],
    ['table', { role: 'flow', holds: 'groups' }],
    ['caption', { role: 'group', holds: 'text' }],
    ['thead tbody tfoot', { role: 'group', holds: 'rows' }],
    ['tr', { role: 'row', holds: 'cells' }],
    ['td th', { role: 'cell', holds: 'flow' }],
    ['a abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp', { role: 'text', holds: 'text' }],
    ['small span strong sub sup u var', { role: 'text', holds: 'text' }],
    ['br math img iframe video audio', { role: 'text', holds: 'nothing' }],
  ]),
);

/** Elements besides the dropped ones whose text no reader sees, or whose text is what they show if a browser cannot play them. */
const silent = new Set('template area math video audio iframe'.split(' '));

/** What the text of an element is. */
const marks = new Map(
  byName<'code' | 'struck' | 'script'>([
    ['code tt kbd samp', 'code'],
    ['del s strike', 'struck'],
    ['sup sub', 'script'],
  ]),
);

/** What the name of an element says, in a body and in the sanitised tree. */
export interface ElementKind {
  /** `undefined`: it is unwrapped. */
  readonly treatment: Treatment | undefined;
  /** `undefined`: the sanitised tree cannot contain it. */
  readonly model: Model | undefined;
  /** Whether it is running text, and not a block, in the sanitised tree. */
  readonly isText: boolean;
  /** Whether it is on lines of its own in a body. */
  readonly isBlock: boolean;
  /** Whether it is a part of a word that its text is a part of. Unknown elements are, in browsers. */
  readonly isInline: boolean;
  readonly isPlayer: boolean;
  /** Whether no reader sees its text, or only if a browser cannot play it. */
  readonly isSilent: boolean;
  readonly mark: 'code' | 'struck' | 'script' | null;
}

const kinds = new Map<string, ElementKind>();

/** What is known of an element of this name (lower case), or of a node such as `#text`. */
export function kindOf(name: string): ElementKind {
  let kind = kinds.get(name);
  if (kind === undefined) {
    kind = describeName(name);
    // The names are an author's, who may make up any number of them.
    if (kinds.size < 1000) kinds.set(name, kind);
  }
  return kind;
}

function describeName(name: string): ElementKind {
  const treatment = treatments.get(name);
  const model = contentModels.get(name);
  const role = (treatment?.kind === 'keep' ? contentModels.get(treatment.as) : model)?.role;
  const isPlayer = name === 'iframe' || name === 'video' || name === 'audio';
  return {
    treatment,
    model,
    isText: model?.role === 'text',
    isBlock: role === undefined ? name === 'listing' : role !== 'text',
    isInline: isPartOfWord(name, treatment, role) && !isPlayer,
    isPlayer,
    isSilent: treatment === drop || silent.has(name),
    mark: marks.get(name) ?? null,
  };
}

function isPartOfWord(name: string, treatment: Treatment | undefined, role: Role | undefined): boolean {
  if (name === 'svg' || name === 'canvas' || name === 'template') return true;
  if (name === 'br' || name === 'img' || name === 'math') return false;
  if (treatment?.kind === 'drop') return !treatment.isReported;
  return treatment === undefined || role === 'text';
}
