import { join, relative } from 'node:path';
// eta renders templates without a build step, and escapes by default.
import { Eta } from 'eta/core';
import { docsPage } from '../../core/docs-page.ts';
import { LecternError, messageOf } from '../../core/errors.ts';
import { escapeHtml } from '../../core/html.ts';
import type { LanguageTag } from '../../core/model.ts';
import { isFileInside, readTextIn } from '../../core/user-folder.ts';
import type { View } from './views.ts';

/** Renders a template (by name, without `.eta`) with the view of one page. */
export type RenderTemplate = (name: string, view: View) => string;

/** Prefix that includes the next template of the same name in the chain. */
const nextMark = /^next:/;

/**
 * Creates the renderer of one language. A template is searched for in the folders in order, in each first in a subfolder named like the
 * language. `include('next:name')` includes the template that this one replaces. Values are escaped unless written with `<%~`; `undefined`
 * or `null` in a page is an error.
 * @param folders absolute; the user's own first, the built-in one last
 */
export function createTemplates(folders: readonly string[], language: LanguageTag): RenderTemplate {
  /** Where a template may be, in order: the path of each file, and the folder that it must not leave through a link. */
  const filesOf = (name: string) =>
    folders.flatMap((root) =>
      [join(root, language), root].map((folder) => ({ root, path: join(folder, `${name}.eta`) })),
    );
  const roots = new Map<string, string>();
  const eta = new Eta({
    autoEscape: true,
    autoFilter: true,
    cache: true,
    debug: true,
    escapeFunction: (value) => escapeHtml(String(value)),
    filterFunction: refuseMissing,
  });
  const resolved = new Map<string, string>();
  eta.resolvePath = (name, options) => {
    const from = nextMark.test(name) ? (options?.filepath ?? '') : '';
    const key = from === '' ? name : `${name}\n${from}`;
    const known = resolved.get(key);
    if (known !== undefined) return known;
    const { root, path } = findTemplate(filesOf(name.replace(nextMark, '')), name, from);
    resolved.set(key, path);
    roots.set(path, root);
    return path;
  };
  eta.readFile = (path) => {
    const root = roots.get(path);
    if (root === undefined) throw new Error(`${path} was not resolved`);
    return readTextIn(root, relative(root, path));
  };
  const { compile } = eta;
  eta.compile = (text, options) =>
    compileOnce(options?.filepath ?? '', text, () => compile.call(eta, text, options));
  return (name, view) => {
    try {
      return eta.render(name, view);
    } catch (error) {
      throw templateError(error, name, view);
    }
  };
}

type CompiledTemplate = ReturnType<Eta['compile']>;

/** Compiled templates by path, with their source: all languages and builds of a process share them. */
const compiled = new Map<string, { readonly text: string; readonly template: CompiledTemplate }>();

function compileOnce(path: string, text: string, compileText: () => CompiledTemplate): CompiledTemplate {
  const known = compiled.get(path);
  if (known?.text === text) return known.template;
  try {
    const template = compileText();
    compiled.set(path, { text, template });
    return template;
  } catch (cause) {
    // Below a line of equals signs, the message has the whole program that was made of the template.
    const [what = ''] = messageOf(cause).split(/\n+=+\n/);
    const message = `${path} cannot be compiled: ${what.replace(/^Bad template syntax\n+/, '')}`;
    const hint = 'correct the code between <% and %>; each <% if (…) { %> needs its <% } %>';
    throw new LecternError('TEMPLATE_FAILED', message, { hint, cause });
  }
}

interface TemplateFile {
  readonly root: string;
  readonly path: string;
}

function findTemplate(candidates: readonly TemplateFile[], name: string, from: string): TemplateFile {
  const rest = candidates.slice(candidates.findIndex(({ path }) => path === from) + 1);
  const found = rest.find(({ root, path }) => isFileInside(root, relative(root, path)));
  if (found !== undefined) return found;
  const searched = rest.map(({ path }) => path).join(', ');
  throw new Error(`there is no template "${name}" (searched: ${searched})`);
}

function refuseMissing(value: unknown): string {
  if (value === undefined || value === null) {
    throw new TypeError(`the value to print is ${value}: the view has no such field, or it may be absent`);
  }
  return String(value);
}

function templateError(error: unknown, name: string, view: View): LecternError {
  // Eta wraps an error once for each include around it. One of compiling names its file itself.
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof LecternError) return cause;
  }
  const message = messageOf(error);
  const page = view.kind === 'shared' ? `a shared part of ${view.language.tag}` : view.page.path;
  return new LecternError('TEMPLATE_FAILED', `template "${name}" failed on ${page}: ${message}`, {
    hint: `${docsPage('templates.md')} lists the fields of every view; check fields that may be null with <% if (…) { %>`,
    cause: error,
  });
}
