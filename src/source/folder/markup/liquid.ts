/** What Liquid tags of a page can refer to. */
export interface LiquidScope {
  /** Value of a name, e.g. `site`; `undefined` if it is unknown. */
  lookup(name: string): unknown;
  /** Text of a file in `_includes/`, or of one relative to the page; `null` if there is none. */
  include(name: string, isRelative: boolean): string | null;
  /** Path of a page or file for links; `kind` is the tag. */
  link(kind: 'link' | 'post_url', target: string): string;
  /** Reports a tag that is removed. */
  unknown(what: string): void;
}

/** Maximum number of repetitions and inserted files of a page, and of files in each other. */
const mostRuns = 5000;
const mostNested = 32;
const maxChars = 4 * 1024 * 1024;

type LiquidValues = ReadonlyMap<string, unknown>;

interface LiquidRun {
  readonly scope: LiquidScope;
  /** Assigned by the page. */
  readonly assigned: Map<string, unknown>;
  runs: number;
  chars: number;
}

interface LiquidTag {
  /** `output` for `{{ … }}`. */
  readonly name: string;
  readonly rest: string;
  readonly whole: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces Liquid in a text, also in code, as Jekyll does. Variables of the configuration, links, inserted files, conditions and lists of
 * data are resolved; other tags are removed with their content and reported.
 */
export function resolveLiquid(text: string, scope: LiquidScope): string {
  if (!/\{[{%]/.test(text)) return text;
  return resolve(text, { scope, assigned: new Map(), runs: 0, chars: 0 }, new Map(), 0);
}

const pattern =
  /\{%-?\s*(\w+)?((?:"[^"]*"|'[^']*'|(?!%\})[\s\S])*?)-?%\}|\{\{-?((?:"[^"]*"|'[^']*'|(?!\}\})[\s\S])*?)-?\}\}/g;

function nextTag(text: string, from: number): LiquidTag | null {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  if (match === null) return null;
  const [whole, name = '', rest = '', output] = match;
  return {
    name: output === undefined ? name : 'output',
    rest: (output ?? rest).trim(),
    whole,
    start: match.index,
    end: match.index + whole.length,
  };
}

/** Tags with an end. */
const blocks = new Set(['if', 'unless', 'for', 'capture', 'case', 'tablerow', 'highlight', 'raw', 'comment']);

interface LiquidBlock {
  readonly inside: string;
  /** End of its closing tag. */
  readonly end: number;
  readonly isClosed: boolean;
}

/** A block without a closing tag ends with the text. */
function readBlock(text: string, tag: LiquidTag): LiquidBlock {
  if (tag.name === 'raw' || tag.name === 'comment') {
    const closing = new RegExp(`\\{%-?\\s*end${tag.name}\\s*-?%\\}`, 'g');
    closing.lastIndex = tag.end;
    const found = closing.exec(text);
    const stop = found?.index ?? text.length;
    return {
      inside: text.slice(tag.end, stop),
      end: stop + (found?.[0].length ?? 0),
      isClosed: found !== null,
    };
  }
  let depth = 1;
  for (let next = nextTag(text, tag.end); next !== null; next = nextTag(text, next.end)) {
    if (next.name === 'raw' || next.name === 'comment') {
      next = { ...next, end: readBlock(text, next).end };
      continue;
    }
    if (next.name === tag.name) depth += 1;
    if (next.name === `end${tag.name}`) depth -= 1;
    if (depth === 0) return { inside: text.slice(tag.end, next.start), end: next.end, isClosed: true };
  }
  return { inside: text.slice(tag.end), end: text.length, isClosed: false };
}

function resolve(text: string, run: LiquidRun, local: LiquidValues, depth: number): string {
  let result = '';
  let from = 0;
  for (let tag = nextTag(text, 0); tag !== null; tag = nextTag(text, from)) {
    const before = text.slice(from, tag.start);
    result += /^\{[%{]-/.test(tag.whole) ? before.trimEnd() : before;
    const block = blocks.has(tag.name) ? readBlock(text, tag) : null;
    const value = resolveTag(tag, block?.inside ?? '', run, local, depth);
    if (value === null || block?.isClosed === false) run.scope.unknown(tag.whole);
    result += value ?? '';
    run.chars += value?.length ?? 0;
    from = block?.end ?? tag.end;
    if (/-[%}]\}$/.test(text.slice(tag.start, from))) {
      const [blank = ''] = /^\s*/.exec(text.slice(from)) ?? [];
      // A file ends with a line break of its own.
      if (tag.name.startsWith('include') && blank.includes('\n')) result += '\n';
      from += blank.length;
    }
    if (run.chars > maxChars) {
      run.scope.unknown(tag.whole);
      return result;
    }
  }
  return result + text.slice(from);
}

/** `null`: the tag is unknown. */
function resolveTag(
  tag: LiquidTag,
  inside: string,
  run: LiquidRun,
  local: LiquidValues,
  depth: number,
): string | null {
  const { scope } = run;
  const { name, rest } = tag;
  const evaluated = (expression: string): unknown => evaluate(expression, run, local);
  switch (name) {
    case 'raw':
      return inside;
    case 'comment':
      return '';
    case 'highlight': {
      const [language = ''] = rest.split(/\s+/);
      const code = resolve(inside, run, local, depth).replace(/^\n+|\s+$/g, '');
      const marks = '`'.repeat(Math.max(3, ...(code.match(/`{3,}/g) ?? []).map((one) => one.length + 1)));
      return `\n${marks}${language}\n${code}\n${marks}\n`;
    }
    case 'output':
      return printable(evaluated(rest));
    case 'assign': {
      const [, variable = '', expression = ''] = /^([\w-]+)\s*=\s*([\s\S]+)$/.exec(rest) ?? [];
      const value = evaluated(expression);
      if (variable !== '') run.assigned.set(variable, value);
      return value === undefined ? null : '';
    }
    case 'capture':
      run.assigned.set(rest.replace(/["']/g, ''), resolve(inside, run, local, depth));
      return '';
    case 'link':
    case 'post_url':
      return scope.link(name, printable(resolve(rest, run, local, depth + 1)) ?? rest);
    case 'include':
    case 'include_cached':
    case 'include_relative':
      return resolveInclude(tag, run, local, depth);
    case 'if':
    case 'unless':
      return resolveCondition(tag, inside, run, local, depth);
    case 'for':
      return resolveLoop(rest, inside, run, local, depth);
    default:
      return null;
  }
}

function resolveInclude(
  { name, rest }: LiquidTag,
  run: LiquidRun,
  local: LiquidValues,
  depth: number,
): string | null {
  const [, file = '', parameters = ''] = /^(\{\{[\s\S]*?\}\}|"[^"]*"|\S+)([\s\S]*)$/.exec(rest) ?? [];
  const path = resolve(file, run, local, depth + 1).replace(/^["']|["']$/g, '');
  run.runs += 1;
  if (path === '' || depth >= mostNested || run.runs > mostRuns) return null;
  const text = run.scope.include(path, name === 'include_relative');
  if (text === null) return null;
  const given = Object.fromEntries(
    [...parameters.matchAll(/([\w-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"']+)/g)].map(([, key = '', value = '']) => [
      key,
      evaluate(value, run, local),
    ]),
  );
  return resolve(text, run, new Map([...local, ['include', given]]), depth + 1).replace(/\n$/, '');
}

function resolveCondition(
  { name, rest }: LiquidTag,
  inside: string,
  run: LiquidRun,
  local: LiquidValues,
  depth: number,
): string | null {
  const parts: { condition: string | null; text: string }[] = [{ condition: rest, text: '' }];
  let from = 0;
  for (let tag = nextTag(inside, 0); tag !== null; tag = nextTag(inside, from)) {
    const part = parts.at(-1) as { condition: string | null; text: string };
    const isElse = tag.name === 'else' || tag.name === 'elsif';
    const end = blocks.has(tag.name) ? readBlock(inside, tag).end : tag.end;
    part.text += inside.slice(from, isElse ? tag.start : end);
    if (isElse) parts.push({ condition: tag.name === 'else' ? null : tag.rest, text: '' });
    from = end;
  }
  (parts.at(-1) as { text: string }).text += inside.slice(from);
  for (const [at, { condition, text }] of parts.entries()) {
    const truth = condition === null ? true : isTrue(condition, run, local);
    if (truth === null) return null;
    if (truth !== (name === 'unless' && at === 0)) return resolve(text, run, local, depth);
  }
  return '';
}

/** `null`: it cannot be decided. */
function isTrue(condition: string, run: LiquidRun, local: LiquidValues): boolean | null {
  const [, left = '', joint = '', right = ''] = /^([\s\S]+?)\s+(and|or)\s+([\s\S]+)$/.exec(condition) ?? [];
  if (joint !== '') {
    const one = isTrue(left, run, local);
    const other = isTrue(right, run, local);
    if (one === null || other === null) return null;
    return joint === 'and' ? one && other : one || other;
  }
  const [, a = '', operator = '', b = ''] =
    /^([\s\S]+?)\s*(==|!=|<>|>=|<=|>|<|\scontains\s)\s*([\s\S]+)$/.exec(condition.trim()) ?? [];
  const first = evaluate(operator === '' ? condition : a, run, local, true);
  if (first === undefined) return null;
  if (operator === '') return first !== null && first !== false;
  const second = evaluate(b, run, local, true);
  if (second === undefined) return null;
  switch (operator.trim()) {
    case '==':
      return first === second;
    case '!=':
    case '<>':
      return first !== second;
    case 'contains':
      return Array.isArray(first) ? first.includes(second) : String(first ?? '').includes(String(second));
    default: {
      const difference = Number(first) - Number(second);
      if (Number.isNaN(difference)) return null;
      if (difference === 0) return operator.includes('=');
      return difference > 0 === operator.startsWith('>');
    }
  }
}

function resolveLoop(
  head: string,
  inside: string,
  run: LiquidRun,
  local: LiquidValues,
  depth: number,
): string | null {
  const [, variable = '', list = '', options = ''] =
    /^([\w-]+)\s+in\s+([^\s]+)\s*([\s\S]*)$/.exec(head) ?? [];
  const value = variable === '' ? undefined : evaluate(list, run, local);
  const items = Array.isArray(value)
    ? (value as readonly unknown[])
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : null;
  if (items === null || depth >= mostNested) return null;
  const limit = Number(/limit:\s*(\d+)/.exec(options)?.[1] ?? items.length);
  const offset = Number(/offset:\s*(\d+)/.exec(options)?.[1] ?? 0);
  const chosen = items.slice(offset, offset + limit);
  if (/\breversed\b/.test(options)) chosen.reverse();
  run.runs += chosen.length;
  if (run.runs > mostRuns) return null;
  return chosen
    .map((item, index) => {
      if (run.chars > maxChars) return '';
      const forloop = {
        index: index + 1,
        index0: index,
        first: index === 0,
        last: index === chosen.length - 1,
        length: chosen.length,
      };
      return resolve(inside, run, new Map([...local, [variable, item], ['forloop', forloop]]), depth + 1);
    })
    .join('');
}

type Filter = (value: unknown, ...parameters: readonly unknown[]) => unknown;

const textFilter =
  (change: (text: string, ...parameters: readonly string[]) => unknown): Filter =>
  (value, ...parameters) =>
    change(String(value ?? ''), ...parameters.map(String));

const filters: Readonly<Record<string, Filter>> = {
  append: textFilter((text, more = '') => text + more),
  prepend: textFilter((text, more = '') => more + text),
  upcase: textFilter((text) => text.toUpperCase()),
  downcase: textFilter((text) => text.toLowerCase()),
  capitalize: textFilter((text) => text.charAt(0).toUpperCase() + text.slice(1)),
  strip: textFilter((text) => text.trim()),
  replace: textFilter((text, from = '', to = '') => text.replaceAll(from, to)),
  replace_first: textFilter((text, from = '', to = '') => text.replace(from, () => to)),
  remove: textFilter((text, from = '') => text.replaceAll(from, '')),
  split: textFilter((text, by = '') => text.split(by)),
  strip_newlines: textFilter((text) => text.replace(/\n/g, '')),
  slugify: textFilter((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, ''),
  ),
  escape: textFilter((text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)),
  markdownify: (value) => value,
  strip_html: textFilter((text) => text.replace(/<[^>]*>/g, '')),
  default: (value, other) =>
    value === null || value === undefined || value === '' || value === false ? other : value,
  first: (value) => (Array.isArray(value) ? (value[0] ?? null) : undefined),
  last: (value) => (Array.isArray(value) ? (value.at(-1) ?? null) : undefined),
  size: (value) => (Array.isArray(value) || typeof value === 'string' ? value.length : 0),
  join: (value, by = ' ') => (Array.isArray(value) ? value.join(String(by)) : value),
  compact: (value) => (Array.isArray(value) ? value.filter((one) => one !== null) : undefined),
  reverse: (value) => (Array.isArray(value) ? value.toReversed() : undefined),
  map: (value, key) =>
    Array.isArray(value) ? value.map((one) => memberOf(one, String(key)) ?? null) : undefined,
};

/**
 * Value of an expression with its filters; `undefined` if it is unknown.
 * @param isNullKnown whether a missing member of a known object is `null`, as in conditions
 */
function evaluate(expression: string, run: LiquidRun, local: LiquidValues, isNullKnown = false): unknown {
  const [source = '', ...chain] = splitOutside(expression, '|');
  let value = evaluateOperand(
    source.trim(),
    run,
    local,
    isNullKnown || chain.some((one) => /^\s*default\b/.test(one)),
  );
  for (const one of chain) {
    const [, name = '', list = ''] = /^\s*(\w+)\s*(?::([\s\S]*))?$/.exec(one) ?? [];
    const parameters =
      list === ''
        ? []
        : splitOutside(list, ',').map((part) => evaluateOperand(part.trim(), run, local, false));
    if (value === undefined || parameters.includes(undefined)) return undefined;
    if (name === 'relative_url' || name === 'absolute_url') value = `/${String(value).replace(/^\/+/, '')}`;
    else value = Object.hasOwn(filters, name) ? filters[name]?.(value, ...parameters) : undefined;
  }
  return value;
}

function splitOutside(text: string, separator: string): readonly string[] {
  const parts = [''];
  for (const [piece] of text.matchAll(/"[^"]*"|'[^']*'|[\s\S]/g)) {
    if (piece === separator) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

const literals: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  nil: null,
  null: null,
  empty: '',
  blank: '',
};

function evaluateOperand(text: string, run: LiquidRun, local: LiquidValues, isNullKnown: boolean): unknown {
  const quoted = /^(?:"([^"]*)"|'([^']*)')$/.exec(text);
  if (quoted !== null) return quoted[1] ?? quoted[2];
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (Object.hasOwn(literals, text)) return literals[text];
  const steps = [...text.matchAll(/\.?([\w-]+)|\[\s*("[^"]*"|'[^']*'|[^\]]+)\s*\]/g)];
  const [first] = steps;
  if (first?.[1] === undefined || steps.map(([whole]) => whole).join('') !== text) return undefined;
  const root = first[1];
  let value: unknown = local.has(root)
    ? local.get(root)
    : run.assigned.has(root)
      ? run.assigned.get(root)
      : run.scope.lookup(root);
  for (const [, member, index] of steps.slice(1)) {
    if (value === undefined) return undefined;
    const key = member ?? evaluateOperand((index ?? '').trim(), run, local, false);
    if (key === undefined) return undefined;
    value = memberOf(value, String(key));
  }
  return value === undefined && isNullKnown && (local.has(root) || run.assigned.has(root) || root === 'page')
    ? null
    : value;
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    if (key === 'size') return value.length;
    if (key === 'first') return value[0];
    if (key === 'last') return value.at(-1);
    return value[Number(key)];
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

function printable(value: unknown): string | null {
  if (value === undefined) return null;
  if (value === null) return '';
  if (Array.isArray(value)) return value.every((one) => typeof one !== 'object') ? value.join('') : null;
  return typeof value === 'object' ? null : String(value);
}
