import { posix } from 'node:path';
// oxc-parser reads configurations in TypeScript as data; running them would run the code of strangers.
import type {
  Argument,
  Expression,
  Function as FunctionNode,
  ObjectProperty,
  Program,
  Statement,
} from 'oxc-parser';
import { parseSync } from 'oxc-parser';
import { readTextInside } from '../safe-files.ts';

/** A value that only running the code could tell. */
export const notData: unique symbol = Symbol('not data');

/** A call of a function of another package, e.g. `starlight({ title: 'Help' })`, which is not run. */
export class CallData {
  readonly name: string;
  readonly args: readonly unknown[];
  constructor(name: string, args: readonly unknown[]) {
    this.name = name;
    this.args = args;
  }
}

/**
 * Reads the default export of a JavaScript or TypeScript module as data, or a JSON file, without running anything. Literals, objects, lists,
 * constants, imports of files of the project, and functions that only return such values are data; variables of the environment are not set.
 * All other values become {@link notData}. Functions called `define…` and `with…` return their first argument. Throws an `Error` with a
 * sentence if the file cannot be parsed.
 */
export function readLiteralData(root: string, path: string): unknown {
  const reader: CodeReader = { root, modules: new Map(), steps: 0 };
  return exportOf(openModule(reader, path), 'default');
}

/** Maximum number of evaluated expressions, and of files: a configuration needs a small part of it. */
const mostSteps = 200_000;
const mostModules = 100;
const mostLevels = 200;

interface CodeReader {
  readonly root: string;
  readonly modules: Map<string, Module>;
  steps: number;
}

interface Module {
  readonly reader: CodeReader;
  readonly path: string;
  /** Content of a JSON file; `notData` for code. */
  readonly json: unknown;
  /** Expressions and functions by name; `default` and `*` are those of exports. */
  readonly names: Map<string, () => unknown>;
  readonly functions: Map<string, FunctionNode>;
  readonly exported: Map<string, string>;
  readonly values: Map<string, unknown>;
}

/** Where an expression is: its module, and the parameters of the function around it. */
interface Scope {
  readonly module: Module;
  readonly locals: ReadonlyMap<string, unknown>;
  readonly level: number;
}

type CodeNode = Expression | Argument;

function openModule(reader: CodeReader, path: string): Module {
  const known = reader.modules.get(path);
  if (known !== undefined) return known;
  if (reader.modules.size >= mostModules) throw new Error('it imports too many files');
  const text = readTextInside(reader.root, path).replace(/^\uFEFF/, '');
  const module: Module = {
    reader,
    path,
    json: path.endsWith('.json') ? JSON.parse(text) : notData,
    names: new Map(),
    functions: new Map(),
    exported: new Map(),
    values: new Map(),
  };
  reader.modules.set(path, module);
  if (path.endsWith('.json')) return module;
  const { program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) {
    const start = error.labels[0]?.start ?? 0;
    throw new Error(`line ${text.slice(0, start).split('\n').length}: ${error.message}`);
  }
  collectNames(module, program);
  return module;
}

function collectNames(module: Module, program: Program): void {
  const top: Scope = { module, locals: new Map(), level: 0 };
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      for (const one of statement.specifiers) {
        const name =
          one.type === 'ImportDefaultSpecifier'
            ? 'default'
            : one.type === 'ImportNamespaceSpecifier'
              ? '*'
              : one.imported.type === 'Literal'
                ? one.imported.value
                : one.imported.name;
        module.names.set(one.local.name, () => importValue(module, statement.source.value, name));
      }
    } else if (statement.type === 'ExportDefaultDeclaration') {
      const { declaration } = statement;
      if (declaration.type === 'FunctionDeclaration') {
        module.functions.set('default', declaration);
        module.names.set('default', () => callFunction(declaration, [], top));
      } else module.names.set('default', () => evaluate(declaration as Expression, top));
      module.exported.set('default', 'default');
    } else if (statement.type === 'ExportNamedDeclaration') {
      if (statement.declaration !== null) {
        for (const name of collectDeclaration(statement.declaration, top)) module.exported.set(name, name);
      }
      for (const { local, exported } of statement.specifiers) {
        if (local.type === 'Identifier' && exported.type === 'Identifier')
          module.exported.set(exported.name, local.name);
      }
    } else if (statement.type === 'ExpressionStatement') {
      const { expression } = statement;
      if (
        expression.type === 'AssignmentExpression' &&
        expression.left.type === 'MemberExpression' &&
        expression.left.object.type === 'Identifier' &&
        expression.left.object.name === 'module'
      ) {
        module.names.set('default', () => evaluate(expression.right, top));
        module.exported.set('default', 'default');
      }
    } else collectDeclaration(statement, top);
  }
}

/** Adds the names of a declaration to its module; returns them. */
function collectDeclaration(statement: Statement, scope: Scope): readonly string[] {
  const { module } = scope;
  if (statement.type === 'FunctionDeclaration' && statement.id !== null) {
    module.functions.set(statement.id.name, statement);
    return [statement.id.name];
  }
  if (statement.type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap(({ id, init }) => {
    if (id.type !== 'Identifier' || init === null) return [];
    if (init.type === 'ArrowFunctionExpression' || init.type === 'FunctionExpression')
      module.functions.set(id.name, init as FunctionNode);
    // A variable that is assigned again has no fixed value.
    else module.names.set(id.name, () => (statement.kind === 'const' ? evaluate(init, scope) : notData));
    return [id.name];
  });
}

function importValue(module: Module, source: string, name: string): unknown {
  const target = findModule(module, source);
  return target === null ? notData : exportOf(target, name);
}

function findModule({ reader, path }: Module, source: string): Module | null {
  if (!source.startsWith('.')) return null;
  const base = posix.join(posix.dirname(path), source);
  if (/^\.\.(?:\/|$)/.test(base)) return null;
  const stem = base.replace(/\.m?js$/, '');
  for (const candidate of [base, ...['.ts', '.mts', '.js', '.mjs', '.json'].map((end) => stem + end)]) {
    try {
      if (/\.(?:[cm]?[jt]s|json)$/.test(candidate)) return openModule(reader, candidate);
    } catch {
      // Another name is tried; what remains unknown is not data.
    }
  }
  return null;
}

function exportOf(module: Module, name: string): unknown {
  if (module.json !== notData)
    return name === 'default' || name === '*' ? module.json : fieldOf(module.json, name);
  if (name === '*') {
    return Object.fromEntries([...module.exported.keys()].map((one) => [one, exportOf(module, one)]));
  }
  const local = module.exported.get(name);
  return local === undefined ? notData : valueOfName(module, local);
}

/** The value of a name at the top of a module; a name that refers to itself has none. */
function valueOfName(module: Module, name: string): unknown {
  if (module.values.has(name)) return module.values.get(name);
  const read = module.names.get(name);
  if (read === undefined) return notData;
  module.values.set(name, notData);
  const value = read();
  module.values.set(name, value);
  return value;
}

function evaluate(node: CodeNode, scope: Scope): unknown {
  const { reader } = scope.module;
  reader.steps += 1;
  if (reader.steps > mostSteps || scope.level > mostLevels)
    throw new Error('it is too large to be read as data');
  const inner: Scope = { ...scope, level: scope.level + 1 };
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'object' && node.value !== null ? notData : node.value;
    case 'TemplateLiteral': {
      const parts = node.expressions.map((one) => evaluate(one, inner));
      if (!parts.every((part) => typeof part === 'string' || typeof part === 'number')) return notData;
      return node.quasis.map(({ value }, at) => `${value.cooked ?? ''}${parts[at] ?? ''}`).join('');
    }
    case 'ObjectExpression':
      return evaluateObject(node.properties, inner);
    case 'ArrayExpression':
      return node.elements.flatMap((one): unknown[] => {
        if (one === null) return [undefined];
        if (one.type !== 'SpreadElement') return [evaluate(one, inner)];
        const spread = evaluate(one.argument, inner);
        return Array.isArray(spread) ? spread : [notData];
      });
    case 'Identifier':
      if (node.name === 'undefined') return undefined;
      if (node.name === '__dirname') return '.';
      return scope.locals.has(node.name) ? scope.locals.get(node.name) : valueOfName(scope.module, node.name);
    case 'MemberExpression': {
      if (isEnvironment(node.object)) return undefined;
      const object = evaluate(node.object, inner);
      if (node.property.type === 'PrivateIdentifier') return notData;
      const name = node.computed
        ? evaluate(node.property as Expression, inner)
        : (node.property as { readonly name: string }).name;
      return typeof name === 'string' || typeof name === 'number' ? fieldOf(object, String(name)) : notData;
    }
    case 'ChainExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'ParenthesizedExpression':
      return evaluate(node.expression, inner);
    case 'AwaitExpression':
      return evaluate(node.argument, inner);
    case 'UnaryExpression': {
      const value = evaluate(node.argument, inner);
      if (value === notData) return notData;
      if (node.operator === '!') return !value;
      return node.operator === '-' && typeof value === 'number' ? -value : notData;
    }
    case 'BinaryExpression': {
      const left = node.left.type === 'PrivateIdentifier' ? notData : evaluate(node.left, inner);
      const right = evaluate(node.right, inner);
      if (left === notData || right === notData) return notData;
      if (node.operator === '===' || node.operator === '==') return left === right;
      if (node.operator === '!==' || node.operator === '!=') return left !== right;
      return node.operator === '+' && typeof left === 'string' && typeof right === 'string'
        ? left + right
        : notData;
    }
    case 'LogicalExpression': {
      const left = evaluate(node.left, inner);
      if (left === notData) return notData;
      const isLeft =
        node.operator === '&&'
          ? !left
          : node.operator === '||'
            ? Boolean(left)
            : left !== null && left !== undefined;
      return isLeft ? left : evaluate(node.right, inner);
    }
    case 'ConditionalExpression': {
      const test = evaluate(node.test, inner);
      return test === notData ? notData : evaluate(test ? node.consequent : node.alternate, inner);
    }
    case 'CallExpression':
      return evaluateCall(node.callee, node.arguments, inner);
    default:
      return notData;
  }
}

function evaluateObject(
  properties: readonly (ObjectProperty | { readonly type: 'SpreadElement'; readonly argument: Expression })[],
  scope: Scope,
): unknown {
  const object: Record<string, unknown> = Object.create(null);
  for (const property of properties) {
    if (property.type === 'SpreadElement') {
      const spread = evaluate(property.argument, scope);
      if (isFields(spread)) Object.assign(object, spread);
      continue;
    }
    const { key, value, computed } = property;
    const name = computed
      ? evaluate(key as Expression, scope)
      : key.type === 'Identifier'
        ? key.name
        : evaluate(key as Expression, scope);
    if (typeof name === 'string' || typeof name === 'number')
      object[String(name)] = property.kind === 'init' && !property.method ? evaluate(value, scope) : notData;
  }
  return object;
}

function evaluateCall(callee: Expression, given: readonly Argument[], scope: Scope): unknown {
  const args = () => given.map((one) => (one.type === 'SpreadElement' ? notData : evaluate(one, scope)));
  if (callee.type === 'MemberExpression') {
    const name = callee.property.type === 'Identifier' && !callee.computed ? callee.property.name : '';
    const owner = callee.object.type === 'Identifier' ? callee.object.name : '';
    const [first, ...rest] = args();
    if (owner === 'require' && name === 'resolve') return first;
    // Paths of files of the project: `path.join(__dirname, 'sidebars.js')`.
    if (name === 'join' || (name === 'resolve' && owner !== 'require'))
      return [first, ...rest].every((one) => typeof one === 'string')
        ? posix.join(...([first, ...rest] as string[]))
        : notData;
    return notData;
  }
  if (callee.type !== 'Identifier') return notData;
  const { module } = scope;
  const own = module.functions.get(callee.name);
  if (own !== undefined) return callFunction(own, args(), scope);
  if (callee.name === 'require') {
    const [source] = args();
    return typeof source === 'string' ? importValue(module, source, 'default') : notData;
  }
  const values = args();
  if (/^(?:define|with)[A-Z]/.test(callee.name)) return values[0] ?? notData;
  return new CallData(callee.name, values);
}

/** The result of a function that only returns a value. */
function callFunction(own: FunctionNode, args: readonly unknown[], scope: Scope): unknown {
  const { body } = own;
  if (body === null) return notData;
  const locals = new Map<string, unknown>();
  own.params.forEach((param, at) => {
    if (param.type === 'Identifier') locals.set(param.name, args[at]);
  });
  const inner: Scope = { module: scope.module, locals, level: scope.level + 1 };
  const { body: statements } = body as { readonly body?: readonly Statement[] };
  // An arrow function may be an expression.
  if (!Array.isArray(statements)) return evaluate(body as unknown as Expression, inner);
  for (const statement of statements) {
    if (statement.type === 'ReturnStatement')
      return statement.argument === null ? undefined : evaluate(statement.argument, inner);
    if (statement.type !== 'VariableDeclaration' || statement.kind !== 'const') return notData;
    for (const { id, init } of statement.declarations)
      if (id.type === 'Identifier' && init !== null) locals.set(id.name, evaluate(init, inner));
  }
  return notData;
}

/** `process.env`, also that of Vite. */
function isEnvironment(node: Expression | { readonly type: string }): boolean {
  const member = node as Expression;
  return (
    member.type === 'MemberExpression' &&
    member.property.type === 'Identifier' &&
    member.property.name === 'env' &&
    (member.object.type === 'MetaProperty' ||
      (member.object.type === 'Identifier' && member.object.name === 'process'))
  );
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof CallData);
}

function fieldOf(value: unknown, name: string): unknown {
  if (Array.isArray(value))
    return Object.hasOwn(value, name) && name !== 'length' ? value[Number(name)] : notData;
  return isFields(value) && Object.hasOwn(value, name) ? value[name] : notData;
}
