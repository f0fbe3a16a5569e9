import { createHash } from 'node:crypto';
// es-module-lexer finds the positions of imports in the scripts of the site without a parser.
import { type Export, type Import, init, parse } from 'es-module-lexer';
import { LecternError, orNull } from '../../core/errors.ts';
import { replaceSpans, type TextSpan } from '../../core/replace-spans.ts';
import { type Asset, fingerprint } from './assets.ts';

/** The specifier of another script, without its quotes. */
interface Reference extends TextSpan {
  /** Name of the other script. */
  readonly target: string;
}

interface Script {
  readonly name: string;
  readonly content: Uint8Array;
  readonly text: string;
  readonly references: readonly Reference[];
}

/**
 * Fingerprints scripts that load each other. Only `import` and `export … from`, `import()` of a literal, and `new URL('./x.js',
 * import.meta.url)` are rewritten to the hashed names. All names contain the hash of all scripts, so that no order of them matters.
 * @param scripts content by name; all in one folder
 * @param onlyIfNamed scripts that are skipped unless another one loads them
 */
export async function linkScripts(
  scripts: ReadonlyMap<string, Uint8Array>,
  onlyIfNamed: ReadonlySet<string> = new Set(),
): Promise<readonly Asset[]> {
  await init();
  const all = new Map([...scripts].map(([name, content]) => [name, readScript(name, content, scripts)]));
  const wanted = new Set([...all.keys()].filter((name) => !onlyIfNamed.has(name)));
  for (const name of wanted) for (const { target } of all.get(name)?.references ?? []) wanted.add(target);
  const parsed = [...all.values()]
    .filter(({ name }) => wanted.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const digest = createHash('sha256');
  for (const { name, content } of parsed) digest.update(`${name}\n${content.length}\n`).update(content);
  const identity = digest.digest();
  const assets = parsed.map(({ name, content }) => fingerprint(name, content, identity));
  const byName = new Map(assets.map((asset) => [asset.name, asset]));
  return assets.map((asset, at) => ({ ...asset, content: link(parsed[at] as Script, byName) }));
}

/**
 * Joins modules to one script, so that a browser loads them with one request. Each module has its own scope. Imports between the modules
 * are replaced by variables; all other imports come first.
 * @param entry module whose exports the result has
 * @param modules by name
 * @throws TEMPLATE_FAILED for modules that import each other in a circle or export what they import
 */
export async function joinScripts(entry: string, modules: ReadonlyMap<string, string>): Promise<string> {
  await init();
  /** External imports, and the variable of each. */
  const outside = new Map<string, string>();
  const joined: string[] = [];
  const variables = new Map<string, string>();
  const complete = new Set<string>();
  const add = (name: string): readonly Exported[] => {
    const variable = `module${variables.size}`;
    variables.set(name, variable);
    const text = modules.get(name) ?? '';
    const [imports, exports] = parseModule(text);
    const reexport = exports.find(({ type }) => type !== 'direct');
    if (reexport !== undefined) refuse(name, 'exports what it imports');
    const edits: TextEdit[] = [];
    for (const { type, start, end, importStart, importEnd } of imports) {
      if (type !== 'static') continue;
      const [, target = ''] = /^\.\/(.+)$/.exec(text.slice(start, end)) ?? [];
      const isJoined = modules.has(target);
      const semicolon = /^\s*;/.exec(text.slice(importEnd))?.[0].length ?? 0;
      if (isJoined && !variables.has(target)) add(target);
      if (isJoined && !complete.has(target)) refuse(name, `imports "./${target}", which imports it too`);
      const from = text.slice(start - 1, importEnd);
      if (!isJoined && !outside.has(from)) outside.set(from, `outside${outside.size}`);
      const taken = (isJoined ? variables.get(target) : outside.get(from)) ?? '';
      const names = /^import\b(.*)\bfrom\s*["']$/s.exec(text.slice(importStart, start))?.[1] ?? '';
      const declared =
        takeImports(names, taken) ?? refuse(name, `imports in a way that cannot be joined:${names}`);
      edits.push({ start: importStart, end: importEnd + semicolon, text: declared });
    }
    const found = exports.flatMap((each) => (each.type === 'direct' ? [each] : []));
    for (const { exportStart: start, localName } of found) {
      const [statement = ''] = /^export\s*(?:\{[^}]*\}\s*;?|(?:default\b)?\s*)/.exec(text.slice(start)) ?? [];
      const isNamed = localName !== undefined;
      // One export statement may export several names: its first edit counts.
      edits.push({ start, end: start + statement.length, text: isNamed ? '' : 'const unnamed = ' });
    }
    const exported = found.map(({ name: as, localName = 'unnamed' }) => ({ as, localName }));
    const given = exported.map(({ as, localName }) => `${as}: ${localName}`).join(', ');
    joined.push(`const ${variable} = (() => {\n${applyEdits(text, edits)}\nreturn { ${given} };\n})();\n`);
    complete.add(name);
    return exported;
  };
  const exported = add(entry);
  const given = exported.map(
    ({ as }) => `export ${as === 'default' ? 'default' : `const ${as} =`} ${variables.get(entry)}.${as};\n`,
  );
  const first = [...outside].map(([from, variable]) => `import * as ${variable} from ${from};\n`);
  return [...first, ...joined, ...given].join('');
}

function refuse(name: string, reason: string): never {
  throw new LecternError('TEMPLATE_FAILED', `assets/${name} ${reason}`, {
    hint: 'The scripts of the search are published as one. Import what you need, export it as a name of your own, and import no script from one that it imports.',
    exitCode: 2,
  });
}

/** An exported name and the local name in its module. */
interface Exported {
  readonly as: string;
  readonly localName: string;
}

/** `a, { b as c }` of an import as declarations; `null` for any other form. @param variable contains the exports of the module */
function takeImports(names: string, variable: string): string | null {
  const parts = /^\s*([\w$]*)\s*,?\s*(?:\{([^}]*)\}|\*\s*as\s+([\w$]+))?\s*$/.exec(names);
  if (parts === null) return null;
  const [, first = '', inBraces = '', all = ''] = parts;
  const list = [first === '' ? '' : `default: ${first}`, inBraces.replace(/\bas\b/g, ':')];
  const wanted = list.filter((part) => part.trim() !== '').join(', ');
  return (
    (wanted === '' ? '' : `const { ${wanted} } = ${variable};`) +
    (all === '' ? '' : `const ${all} = ${variable};`)
  );
}

function readScript(name: string, content: Uint8Array, scripts: ReadonlyMap<string, Uint8Array>): Script {
  const text = Buffer.from(content).toString('utf8');
  // Text that is not UTF-8 could not be written back unchanged.
  const isText = Buffer.from(text).equals(content);
  const references = isText ? findReferences(text).filter(({ target }) => scripts.has(target)) : [];
  return { name, content, text, references };
}

function findReferences(text: string): readonly Reference[] {
  return parseModule(text)[0].flatMap(({ type, start, end }): Reference[] => {
    if (type === 'import-meta') return findUrl(text, start, end);
    if (type !== 'dynamic') return refer(text.slice(start, end), start);
    return refer(/^(["'`])(.*)\1$/s.exec(text.slice(start, end))?.[2] ?? '', start + 1);
  });
}

/** Imports and exports; none if a script has a syntax error. Such a script is published unchanged, and the browser reports the error. */
function parseModule(text: string): readonly [readonly Import[], readonly Export[]] {
  const [imports, exports] = orNull(() => parse(text)) ?? [[], []];
  return [imports, exports];
}

function refer(specifier: string, start: number): Reference[] {
  const [, target] = /^\.\/([^/?#\\$]+)$/.exec(specifier) ?? [];
  return target === undefined ? [] : [{ start, end: start + specifier.length, target }];
}

/** Longest distance from the start of `new URL(…)` to its `import.meta`. */
const maxUrlChars = 300;

/** Finds `new URL('./x.js', import.meta.url)`, e.g. for a worker. */
function findUrl(text: string, start: number, end: number): Reference[] {
  if (!/^\s*\.\s*url\b/.test(text.slice(end, end + 20))) return [];
  const from = Math.max(0, start - maxUrlChars);
  const before = /\bnew\s+URL\(\s*(["'`])([^"'`]*)\1\s*,\s*$/d.exec(text.slice(from, start));
  return refer(before?.[2] ?? '', from + (before?.indices?.[2]?.[0] ?? 0));
}

/** The content with references to other scripts replaced by their URLs. */
function link({ content, text, references }: Script, assets: ReadonlyMap<string, Asset>): Uint8Array {
  if (references.length === 0) return content;
  const edits = references.map(({ start, end, target }) => {
    return { start, end, text: `./${assets.get(target)?.path.slice('assets/'.length)}` };
  });
  return Buffer.from(applyEdits(text, edits));
}

/** A range of a text and its replacement. */
interface TextEdit extends TextSpan {
  readonly text: string;
}

/** Applies edits in any order; of edits that overlap, the first one counts. */
function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  return replaceSpans(text, sorted, (edit) => edit.text);
}
