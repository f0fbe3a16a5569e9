import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corporaFolder } from '../support/tools.ts';

/** A body with a name for failure messages. */
export interface NamedBody {
  readonly name: string;
  readonly body: string;
}

interface Export {
  readonly articles: readonly {
    readonly article_id: string;
    readonly body: string | null;
    readonly multilingual?: readonly { readonly language_code: string; readonly body: string | null }[];
  }[];
}

/** Every body of the three real knowledge bases and of the collection of nasty ones. */
export function readBodies(): NamedBody[] {
  const bodies = ['arduino-help', 'login-gov-help', 'opensource-guide'].flatMap((name) =>
    (read(`${name}.json`) as Export).articles.flatMap(({ article_id, body, multilingual = [] }) => [
      { name: `${name} ${article_id}`, body: body ?? '' },
      ...multilingual.map((translation) => ({
        name: `${name} ${article_id} ${translation.language_code}`,
        body: translation.body ?? '',
      })),
    ]),
  );
  const nasty = read('nasty-html.dev.json') as { readonly id: string; readonly html: string }[];
  return [...bodies, ...nasty.map(({ id, html }) => ({ name: id, body: html }))];
}

/** Hostile strings of public sanitiser test suites. */
export function readPayloads(): NamedBody[] {
  const { suites } = read('xss-payloads.json') as {
    readonly suites: readonly { readonly source: string; readonly payloads: readonly string[] }[];
  };
  return suites.flatMap(({ source, payloads }) =>
    payloads.map((body, index) => ({ name: `${source} ${index}`, body })),
  );
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(corporaFolder, file), 'utf8'));
}
