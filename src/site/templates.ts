import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta/core';
import { LecternError, messageOf } from '../foundation/errors.ts';
import { readTextFile } from '../foundation/file-system.ts';
import { escapeHtml } from '../foundation/html.ts';
import type { LanguageTag } from '../foundation/model.ts';
import type { View } from './views.ts';

/** Renders a template (by name, without `.eta`) with the view of one page. */
export type RenderTemplate = (name: string, view: View) => string;

/** Prefix that includes the next template of the same name in the chain. */
const nextMark = 'next:';

/**
 * Creates the renderer of one language. A template is searched for in the folders in order, in each first in a subfolder named like the
 * language. `include('next:name')` includes the template that this one replaces. Values are escaped unless written with `<%~`; `undefined`
 * or `null` in a page is an error.
 * @param folders absolute; the user's own first, the built-in one last
 */
export function createTemplates(folders: readonly string[], language: LanguageTag): RenderTemplate {
  const chain = folders.flatMap((folder) => [join(folder, language), folder]);
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
    const from = name.startsWith(nextMark) ? (options?.filepath ?? '') : '';
    const key = `${name}\n${from}`;
    const path = resolved.get(key) ?? findTemplate(chain, name, from);
    resolved.set(key, path);
    return path;
  };
  eta.readFile = readTextFile;
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
  const template = compileText();
  compiled.set(path, { text, template });
  return template;
}

function findTemplate(chain: readonly string[], name: string, from: string): string {
  const wanted = name.startsWith(nextMark) ? name.slice(nextMark.length) : name;
  const candidates = chain.map((folder) => join(folder, `${wanted}.eta`));
  const rest = candidates.slice(candidates.indexOf(from) + 1);
  const found = rest.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`there is no template "${name}" (searched: ${rest.join(', ')})`);
  return found;
}

function refuseMissing(value: unknown): string {
  if (value === undefined || value === null) {
    throw new TypeError(`the value to print is ${value}: the view has no such field, or it may be absent`);
  }
  return String(value);
}

function templateError(error: unknown, name: string, view: View): LecternError {
  if (error instanceof LecternError) return error;
  const message = messageOf(error);
  const page = view.kind === 'shared' ? `a shared part of ${view.language.tag}` : view.page.path;
  return new LecternError('TEMPLATE_FAILED', `template "${name}" failed on ${page}: ${message}`, {
    hint: 'docs/templates.md lists the fields of every view; check fields that may be null with <% if (…) { %>',
    cause: error,
  });
}
