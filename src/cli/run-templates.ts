import { relative, resolve } from 'node:path';
import { readVersion } from '../build/read-version.ts';
import { loadConfig } from '../config/load-config.ts';
import {
  builtInTemplates,
  diffTemplate,
  ejectTemplate,
  listTemplates,
  type TemplatePlaces,
} from '../site/template-files.ts';
import { writeDocument, writeOutput } from './terminal.ts';

interface ConfigFlag {
  readonly config: string | undefined;
}

/** Runs `lectern templates list`. */
export async function runTemplatesList(
  flags: ConfigFlag & { readonly json: boolean | undefined },
): Promise<void> {
  const templates = await listTemplates(await placesOf(flags));
  if (flags.json) {
    writeOutput(`${JSON.stringify(templates, null, 2)}\n`);
    return;
  }
  const width = Math.max(...templates.map(({ name }) => name.length));
  const lines = templates.map(({ name, own, ejected, hasDrifted }) => {
    if (own.length === 0) return name;
    const origin = ejected === null ? '' : `, ejected from ${ejected.version}`;
    const drift = hasDrifted ? '; the built-in one has changed since: lectern templates diff' : '';
    return `${name.padEnd(width)}  replaced by ${own.join(', ')}${origin}${drift}`;
  });
  writeOutput(`${lines.join('\n')}\n`);
}

/** Runs `lectern templates eject`. */
export async function runTemplatesEject(flags: ConfigFlag & { readonly name: string }): Promise<void> {
  const path = await ejectTemplate(await placesOf(flags), flags.name, await readVersion());
  writeOutput(`${relative(process.cwd(), path)}\n`);
}

/** Runs `lectern templates diff`: nothing is printed where nothing differs. */
export async function runTemplatesDiff(
  flags: ConfigFlag & { readonly name: string | undefined },
): Promise<void> {
  const places = await placesOf(flags);
  const replaced = (await listTemplates(places)).filter(({ own }) => own.length > 0).map(({ name }) => name);
  for (const name of flags.name === undefined ? replaced : [flags.name]) {
    const lines = await diffTemplate(places, name);
    if (lines.length === 0) continue;
    writeDocument(`--- built-in ${name}.eta\n+++ ${name}.eta\n${lines.join('\n')}\n`);
  }
}

async function placesOf({ config: file }: ConfigFlag): Promise<TemplatePlaces> {
  const folder = process.cwd();
  const { site } = await loadConfig({ file, environment: process.env, flags: {}, folder });
  return { builtIn: builtInTemplates, own: resolve(folder, site.templates), look: site.look };
}
