import type { Component, ComponentRule, ComponentRules, MarkupPage, ReplacedComponent } from './rules.ts';

/** Shows only the content. */
export const showInside: ComponentRule = ({ inside }) => inside;

/** Shows nothing, because the component shows nothing to read. */
export const showNothing: ComponentRule = () => '';

/** The text of an attribute; `''` if it is absent. */
export function propOf({ props }: Component, ...names: readonly string[]): string {
  for (const name of names) {
    const value = props.get(name);
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

/** HTML elements that continue a line. */
const phrasing =
  /^(?:a|abbr|b|bdi|bdo|br|button|cite|code|data|del|dfn|em|i|img|input|ins|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)$/;
const voids = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
/** Directives of Vue that may hide an element, or show it several times. */
const directive = /^(?:v-if|v-else|v-else-if|v-show|v-for|v-html|v-text)$/;

/** Components and elements in each other; deeper ones are not read as such. */
const mostNested = 32;

interface Frame {
  readonly name: string;
  readonly props: ReadonlyMap<string, string | true>;
  readonly isUnknown: boolean;
  readonly parts: ReplacedComponent[];
  readonly buffer: string[];
}

/**
 * Replaces components by what their rules return. A component without a rule is removed with its content, since it might hide it or show
 * it to some readers only; so are expressions. Both are reported.
 * @param text whose code is hidden
 */
export function replaceComponents(text: string, rules: ComponentRules, page: MarkupPage): string {
  const isMdx = rules.syntax === 'mdx';
  if (isMdx && !page.isMdx && rules.isEveryFile !== true) return text;
  const source = isMdx ? removeModules(text) : text;
  const root: Frame = { name: '', props: new Map(), isUnknown: false, parts: [], buffer: [] };
  const stack: Frame[] = [root];
  const top = (): Frame => stack.at(-1) as Frame;
  const write = (value: string): void => {
    if (value !== '') top().buffer.push(value);
  };
  const close = (): void => {
    const { name, props, isUnknown, parts, buffer } = stack.pop() as Frame;
    const isHidden = isUnknown || stack.some((frame) => frame.isUnknown);
    if (isHidden) {
      if (isUnknown && !stack.some((frame) => frame.isUnknown)) page.unknown(`<${name}>`, `<${name}`);
      return;
    }
    const component: Component = { name, props, inside: dedent(buffer.join('')), parts };
    const rule = Object.hasOwn(rules.rules, name) ? rules.rules[name] : undefined;
    const replaced = isElement(name) ? elementText(component) : (rule?.(component, page) ?? null);
    if (replaced === null) page.unknown(`<${name}>`, `<${name}`);
    const own = replaced ?? '';
    top().parts.push({ ...component, text: own });
    const isInline = isElement(name)
      ? phrasing.test(name) || !own.includes('\n')
      : rules.inline.includes(name);
    appendText(top().buffer, own, isInline);
  };
  let at = 0;
  let plain = 0;
  const flush = (): void => write(source.slice(plain, at));
  const marks = isMdx ? /\\[\\{}<>]|<!--|<|\{|\}/g : /\\[<{]|<!--|<|\{\{/g;
  for (marks.lastIndex = 0; ; ) {
    const match = marks.exec(source);
    if (match === null) break;
    at = match.index;
    const [mark] = match;
    let end = at + mark.length;
    if (mark === '<!--') {
      const stop = source.indexOf('-->', end);
      flush();
      end = stop === -1 ? source.length : stop + 3;
      plain = end;
    } else if (mark === '{' || mark === '}') {
      const id = /^\{\s*#[^\s{}<>"']+\s*\}/.exec(source.slice(at, at + 300))?.[0];
      const isContainer = /^[ \t]*:::/.test(source.slice(source.lastIndexOf('\n', at) + 1, at));
      if (isContainer) end = at + (mark === '{' ? endOfLine(source, at) - at : 1);
      else if (id !== undefined) end = at + id.length;
      else {
        flush();
        end = mark === '{' ? endOfExpression(source, at) : end;
        const inside = source.slice(at + 1, end - 1).trim();
        const literal = mark === '{' ? literalOf(inside, page) : null;
        if (literal !== null) write(literal);
        else if (!/^\/\*[\s\S]*\*\/$/.test(inside)) reportIfShown(mark === '{' ? '{…}' : '}', at);
        plain = end;
      }
    } else if (mark === '{{') {
      const stop = source.indexOf('}}', end);
      if (stop !== -1) {
        flush();
        const literal = literalOf(source.slice(end, stop).trim(), page);
        end = stop + 2;
        if (literal !== null) write(literal);
        else reportIfShown('{{…}}', at);
        plain = end;
      }
    } else if (mark === '<') {
      const tag = readTag(source, at, page);
      if (tag !== null && (isRead(tag) || stack.some(({ name }) => name === tag.name))) {
        flush();
        end = tag.end;
        if (/^(?:script|style)$/.test(tag.name) && !tag.isEnd && !tag.isSelfClosing) {
          const stop = source.indexOf(`</${tag.name}>`, end);
          end = stop === -1 ? source.length : stop + tag.name.length + 3;
        } else handle(tag);
        plain = end;
      }
    }
    marks.lastIndex = end;
    at = end;
  }
  at = source.length;
  flush();
  while (stack.length > 1) close();
  return root.buffer.join('');

  function isRead({ name, props }: ComponentTag): boolean {
    if (isMdx) return true;
    if (name === 'script' || name === 'style') return true;
    return /^[A-Z]|-/.test(name) || [...props.keys()].some((prop) => directive.test(prop));
  }

  function handle({ name, props, isEnd, isSelfClosing }: ComponentTag): void {
    if (isEnd) {
      const open = stack.findLastIndex((frame) => frame.name === name);
      if (open > 0) while (stack.length > open) close();
      return;
    }
    const isDirected = !isMdx && [...props.keys()].some((prop) => directive.test(prop));
    const isKnown = isElement(name) || Object.hasOwn(rules.rules, name) || name === '';
    stack.push({ name, props, isUnknown: isDirected || !isKnown, parts: [], buffer: [] });
    const isDeep = stack.length > mostNested;
    if (isSelfClosing || voids.test(name) || isDeep) close();
  }

  function reportIfShown(what: string, at: number): void {
    if (!stack.some((frame) => frame.isUnknown)) page.unknown(what, source.slice(at, at + 60));
  }
}

function isElement(name: string): boolean {
  return /^[a-z][a-z0-9]*$/.test(name) || name === '';
}

/** An element of HTML in MDX, whose content is Markdown. */
function elementText({ name, props, inside }: Component): string {
  if (name === '') return inside;
  const attributes = [...props]
    .filter(([key]) => /^[a-z][\w-]*$/i.test(key) && !key.startsWith('on'))
    .map(([key, value]) => {
      const own = key === 'className' ? 'class' : key;
      return value === true
        ? ` ${own}`
        : ` ${own}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
    })
    .join('');
  if (voids.test(name)) return `<${name}${attributes}>`;
  const isBlock = !phrasing.test(name) && name !== 'pre' && inside.includes('\n');
  const content = isBlock ? `\n\n${inside}\n\n` : inside;
  return `<${name}${attributes}>${content}</${name}>`;
}

/** Appends what replaces a component to the text before it; a block gets the indentation of its line. */
export function appendText(buffer: string[], text: string, isInline: boolean): void {
  if (isInline) {
    if (text !== '') buffer.push(text);
    return;
  }
  let tail = '';
  while (buffer.length > 0 && !tail.includes('\n')) tail = buffer.pop() + tail;
  const start = tail.lastIndexOf('\n') + 1;
  const line = tail.slice(start);
  const [item = ''] = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+$/.exec(line) ?? [];
  const [blank = ''] = /^[ \t]*/.exec(line) ?? [];
  const indent = ' '.repeat(item === '' ? blank.length : item.length);
  const lines = text.trim() === '' ? [] : text.replace(/^\n+|\s+$/g, '').split('\n');
  const isFirst = item !== '';
  const shown = lines.map((one, index) => (one === '' || (isFirst && index === 0) ? one : indent + one));
  const head = line.trim() === '' ? tail.slice(0, start) : tail;
  buffer.push(head, isFirst ? '' : '\n\n', shown.join('\n'), '\n\n');
}

/** Removes the common indentation of all lines. */
export function dedent(text: string): string {
  const lines = text.split('\n');
  // The first line follows the tag.
  const widths = lines
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const width = widths.reduce((least, one) => Math.min(least, one), widths.length === 0 ? 0 : Infinity);
  return lines
    .map((line, at) => (at === 0 ? line.replace(/^[ \t]+/, lines.length > 1 ? '' : '$&') : line.slice(width)))
    .join('\n');
}

interface ComponentTag {
  /** `''` for a fragment. */
  readonly name: string;
  readonly props: ReadonlyMap<string, string | true>;
  readonly isEnd: boolean;
  readonly isSelfClosing: boolean;
  /** Index after the tag. */
  readonly end: number;
}

const tagStart = /<(\/?)([A-Za-z][\w.-]*)?/y;
const prop = /\s*(?:([^\s=<>/"'{}]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(?=(\{))|([^\s"'{}>]+)))?|(?=(\{)))/y;

/** Reads a tag; `null` if the text is none. */
function readTag(text: string, start: number, page: MarkupPage): ComponentTag | null {
  tagStart.lastIndex = start;
  const match = tagStart.exec(text);
  if (match === null) return null;
  const [whole, slash = '', name = ''] = match;
  let at = start + whole.length;
  if (name === '' && text[at] !== '>') return null;
  if (
    /^<https?:|^<mailto:/.test(text.slice(start, start + 8)) ||
    /^[\w.+-]*[@:]/.test(text.slice(at, at + 80))
  )
    return null;
  const props = new Map<string, string | true>();
  for (;;) {
    const [, isSelfClosing = '', closed = ''] = /^\s*(\/?)(>)/.exec(text.slice(at, at + 200)) ?? [];
    if (closed !== '') {
      const end = text.indexOf('>', at) + 1;
      const isEnd = slash !== '';
      return { name, props, isEnd, isSelfClosing: isSelfClosing !== '', end };
    }
    prop.lastIndex = at;
    const found = prop.exec(text);
    if (found === null || found[0] === '') {
      if (found?.[6] === undefined) return null;
    }
    const [all = '', key, double, single, brace, bare, spread] = found ?? [];
    at += all.length;
    if (brace !== undefined || spread !== undefined) {
      const end = endOfExpression(text, at);
      const literal = literalOf(text.slice(at + 1, end - 1).trim(), page);
      if (key !== undefined && literal !== null) props.set(key, literal);
      // The labels of tabs are a list of objects.
      else if (key === 'values') props.set(key, page.code.restore(text.slice(at, end)));
      at = end;
    } else if (key !== undefined) {
      props.set(key, double ?? single ?? bare ?? true);
    }
    if (at >= text.length) return null;
  }
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

/** Index after the brace that closes the one at `start`; the end of the text if none does. */
function endOfExpression(text: string, start: number): number {
  let depth = 0;
  const marks =
    /[{}]|\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g;
  marks.lastIndex = start;
  for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
    if (match[0] === '{') depth += 1;
    else if (match[0] === '}') depth -= 1;
    if (depth === 0) return match.index + 1;
  }
  return text.length;
}

/** The value of an expression that is a text, number or boolean; `null` if it has to be run. */
function literalOf(expression: string, page: MarkupPage): string | null {
  const source = page.code.restore(expression).trim();
  const [, double, single, template] =
    /^(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|`((?:[^`\\$]|\\[\s\S]|\$(?!\{))*)`)$/.exec(
      source,
    ) ?? [];
  const text = double ?? single ?? template;
  const [, , file] = /^(?:useBaseUrl|require)\((["'])([^"'\n]*)\1\)(?:\.default)?$/.exec(source) ?? [];
  if (file !== undefined) return file.replace(/^@site\/static(?=\/)/, '');
  if (text !== undefined) {
    return text.replace(/\\(?:n|t|\r?\n|([\s\S]))/g, (all, other: string | undefined) =>
      all === '\\n' ? '\n' : all === '\\t' ? '\t' : (other ?? ''),
    );
  }
  return /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(source) ? source : null;
}

/** Removes imports and exports of modules: from a line that starts with one to the end of its statement. */
function removeModules(text: string): string {
  const lines = text.split('\n');
  const result: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const isModule =
      /^(?:import\s+(?:[\w*{"']|type\b)|export\s+(?:const|let|var|default|function|async|class|\{|\*))/.test(
        line,
      );
    const isStart = at === 0 || (result.at(-1) ?? '').trim() === '';
    if (!isModule || !isStart) {
      result.push(line);
      continue;
    }
    // Ends with the statement, or at an empty line outside braces.
    let depth = 0;
    for (; at < lines.length; at += 1) {
      const one = (lines[at] as string).replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
      for (const char of one) {
        if (char === '{' || char === '(' || char === '[') depth += 1;
        else if (char === '}' || char === ')' || char === ']') depth -= 1;
      }
      const next = (lines[at + 1] ?? '').trim();
      const isContinued = /(?:=|=>|,|\bfrom|\+|`[^`]*)\s*$/.test(one) && !/^import\b.*;?$/.test(one);
      if (depth <= 0 && (next === '' || !isContinued)) break;
    }
    result.push('');
  }
  return result.join('\n');
}
