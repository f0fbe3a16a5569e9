import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { definedOnly, loadConfig } from '../config/load-config.ts';
import { networkOf } from '../config/source-settings.ts';
import type { ContentPolicy } from '../content/document.ts';
import { LecternError } from '../foundation/errors.ts';
import { describeIssue, valueAt, z } from '../foundation/schema.ts';
import { createClient } from '../source/client.ts';
import type { Client, WriteCondition } from '../source/client-types.ts';
import { trustedCertificates } from '../source/trusted-certificates.ts';
import type { ClientFlags } from './flags.ts';
import { unknownName, usageError } from './parser/command.ts';
import { writeOutput } from './terminal.ts';

/** Context of a command besides the client. */
interface ClientContext {
  readonly baseUrl: string;
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** How bodies are published. */
  readonly policy: ContentPolicy;
}

/**
 * Opens a client according to configuration, environment and flags, passes it to `work`, and closes it.
 * @throws BASE_URL_MISSING, API_KEY_MISSING and what loading the configuration throws (all exit 2)
 */
export async function withClient<T>(
  flags: ClientFlags,
  work: (client: Client, context: ClientContext) => Promise<T>,
): Promise<T> {
  const folder = process.cwd();
  const config = await loadConfig({
    file: flags.config,
    environment: process.env,
    flags: { baseUrl: flags['base-url'] },
    folder,
  });
  if (config.baseUrl === undefined) {
    throw new LecternError('BASE_URL_MISSING', 'the URL of the knowledge-base API is not set', {
      hint: 'pass --base-url, set LECTERN_BASE_URL, or add baseUrl to lectern.config.json',
      exitCode: 2,
    });
  }
  const client = createClient({
    baseUrl: config.baseUrl,
    apiKey: process.env.LECTERN_API_KEY ?? '',
    ca: await trustedCertificates(config.tls.ca === undefined ? null : resolve(folder, config.tls.ca)),
    insecureLoopback: flags['insecure-loopback'],
    network: networkOf(config.source),
  });
  try {
    const { baseUrl, defaultLanguage, content: policy } = config;
    return await work(client, { baseUrl, defaultLanguage, policy });
  } finally {
    await client.close();
  }
}

/** The text of a file, or of stdin for `-`. Throws INPUT_UNREADABLE (exit 2). */
export async function readInput(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (cause) {
    throw new LecternError('INPUT_UNREADABLE', `${file} cannot be read`, {
      hint: 'pass a file, or - for standard input',
      exitCode: 2,
      cause,
    });
  }
}

/**
 * The fields of a record: those of the JSON file (`-`: stdin), overridden by flags. With a language, the texts belong to that translation.
 * Throws INPUT_UNREADABLE, INPUT_INVALID (exit 2).
 */
export async function mergeInput(
  file: string | undefined,
  language: string | undefined,
  texts: Readonly<Record<string, unknown>>,
  others: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const input = file === undefined ? {} : await readRecord(file);
  if (language === undefined) return { ...input, ...definedOnly(texts), ...definedOnly(others) };
  return {
    ...input,
    ...definedOnly(others),
    multilingual: [{ language_code: language, ...definedOnly(texts) }],
  };
}

async function readRecord(file: string): Promise<Readonly<Record<string, unknown>>> {
  const content = await readInput(file);
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(content));
  } catch (cause) {
    throw new LecternError('INPUT_INVALID', `${file} is not a JSON object`, {
      hint: 'write a JSON object of API fields, e.g. {"title": "Hello"}',
      exitCode: 2,
      cause,
    });
  }
}

/** Checks input before anything is sent. Throws INPUT_INVALID (exit 2) with every invalid field. */
export function checkInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const sentences = parsed.error.issues.map((issue) =>
    [issue.path.join('.'), describeIssue(issue, valueAt(value, issue.path))].filter(Boolean).join(' '),
  );
  throw new LecternError('INPUT_INVALID', sentences.join('; '), {
    hint: 'correct these fields; docs/openapi.json describes every field',
    exitCode: 2,
  });
}

/** `--fields`: which fields of each record are printed. */
export interface FieldsFlag {
  readonly fields: string | undefined;
}

/** Checks `--fields` before anything is sent. @param record schema of the printed records @throws USAGE (exit 2) */
export function checkFields({ fields }: FieldsFlag, record: z.ZodObject): void {
  if (fields === undefined) return;
  const known = Object.keys(record.shape);
  const names = fields.split(',').map((name) => name.trim());
  if (names.every((name) => name === '')) throw usageError('--fields names no field');
  const unknown = names.find((name) => name !== '' && !known.includes(name));
  if (unknown === undefined) return;
  throw unknownName(
    `Unknown field "${unknown}"`,
    unknown,
    known,
    JSON.stringify,
    `the fields are ${known.sort().join(', ')}`,
  );
}

/** `get --etag`: prints the ETag instead of the record. */
export interface EtagFlag {
  readonly etag: boolean | undefined;
}

/** `--if-match`: changes the record only if it still has this ETag. */
export interface IfMatchFlag {
  readonly 'if-match': string | undefined;
}

export function conditionOf({ 'if-match': ifMatch }: IfMatchFlag): WriteCondition {
  return { ifMatch: ifMatch ?? null };
}

/** @throws ETAG_MISSING if the service sends none */
export function printEtag(etag: string | null): void {
  if (etag === null) {
    throw new LecternError('ETAG_MISSING', 'the service sends no ETag', {
      hint: 'remove --etag and --if-match; this service cannot detect concurrent edits',
    });
  }
  writeOutput(`${etag}\n`);
}
