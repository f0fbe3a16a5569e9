import { CleanElement, type CleanNode, childElements } from '../tree/clean-tree.ts';

/** Number of a list item and how its page shows it. */
export interface ItemMarker {
  readonly number: number;
  /** Such as `5.`, `c.` or `iv.`. */
  readonly label: string;
  /** Whether Markdown can number the item: it has decimal numbers up to nine digits only. */
  readonly isMarkdown: boolean;
}

/** Markers of the items of an `<ol>`, by its `start`, `reversed` and type and the `value` of its items. */
export function itemMarkers(list: CleanElement): ItemMarker[] {
  const items = childElements(list);
  const style = styleOf(list);
  const step = / reversed(?: |$)/.test(list.attributes) ? -1 : 1;
  let number = numberIn(list.attributes, 'start') ?? (step < 0 ? items.length : 1);
  return items.map((item) => {
    const own = numberIn(item.attributes, 'value') ?? number;
    number = own + step;
    const text = counters[style]?.(own) ?? String(own);
    return {
      number: own,
      label: `${text}.`,
      isMarkdown: text === String(own) && own >= 0 && own <= 999_999_999,
    };
  });
}

/** An item's children with the label before its first text. */
export function withLabel(children: readonly CleanNode[], label: string): CleanNode[] {
  const [first, ...rest] = children;
  if (first instanceof CleanElement && first.tag === 'p') {
    const labelled = [`${label} `, ...first.children];
    return [new CleanElement('p', first.attributes, first.detail, labelled), ...rest];
  }
  const isText = first !== undefined && (typeof first === 'string' || first.kind.isText);
  return [isText ? `${label} ` : label, ...children];
}

function numberIn(attributes: string, name: 'start' | 'value'): number | null {
  const digits = new RegExp(` ${name}="(-?\\d+)"`).exec(attributes)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The counter style of a list. A class, which the policy makes of a style of the author, overrides `type`, as in CSS. */
function styleOf({ attributes }: CleanElement): string {
  const name = / class="[^"]*\blist-([a-z-]+)/.exec(attributes)?.[1];
  return name ?? / type="(\w)"/.exec(attributes)?.[1] ?? '';
}

/** Text of a number, or `null` if the style cannot express it: then it is shown as a decimal number. */
type Counter = (number: number) => string | null;

const upper =
  (counter: Counter): Counter =>
  (number) =>
    counter(number)?.toUpperCase() ?? null;

const letters: Counter = (number) => {
  if (number < 1) return null;
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(0x61 + ((rest - 1) % 26)) + text;
  return text;
};

const numerals: readonly (readonly [string, number])[] = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
];

const roman: Counter = (number) => {
  if (number < 1 || number > 3999) return null;
  let rest = number;
  let text = '';
  for (const [numeral, value] of numerals) {
    for (; rest >= value; rest -= value) text += numeral;
  }
  return text;
};

const counters: Readonly<Record<string, Counter>> = {
  a: letters,
  A: upper(letters),
  i: roman,
  I: upper(roman),
  'lower-alpha': letters,
  'upper-alpha': upper(letters),
  'lower-roman': roman,
  'upper-roman': upper(roman),
};
