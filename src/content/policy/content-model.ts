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
