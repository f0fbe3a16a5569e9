import { text } from 'node:stream/consumers';
import { type OperationName, operations } from '../../core/api/operations.ts';
import { definedOnly } from '../../core/config/load-config.ts';
import { docsPage } from '../../core/docs-page.ts';
import { LecternError } from '../../core/errors.ts';
import { readTextFile } from '../../core/file-system.ts';
import { describeWrongField, z } from '../../core/schema.ts';
import { upperFirst } from '../../core/shorten.ts';
import type { UnknownRecord } from '../../core/unknown-record.ts';
import type { Client } from '../../source/api/client-types.ts';
import {
  type Command,
  type CommandRow,
  defineCommand,
  defineGroup,
  type Example,
  type Option,
  unknownName,
  usageError,
} from '../command.ts';
import { clientFlags } from '../flags.ts';
import { jsonFlag, printAnswer } from '../print-answer.ts';
import type { ClientFlags } from '../with-client.ts';

const examples: Readonly<Partial<Record<OperationName, readonly Example[]>>> = {
  listArticles: [
    ['lectern kb article list', 'All articles'],
    ['lectern kb article list --status draft', 'Drafts only'],
  ],
  readArticle: [['lectern kb article get 4fq8d7s2ka', 'One article']],
  createArticle: [
    ['lectern kb article create --set title=Reset --set is_published=true', 'A public article'],
    ['lectern kb article create --input article.json', 'All fields from a file'],
  ],
  updateArticle: [[`lectern kb article update 4fq8d7s2ka --set 'tags=["setup"]'`, 'Another list of tags']],
  deleteArticle: [['lectern kb article delete 4fq8d7s2ka', 'Deletes permanently']],
  listCategories: [['lectern kb category list', 'All categories']],
  readCategory: [['lectern kb category get 7bnd2k4xp1', 'One category']],
  createCategory: [['lectern kb category create --set title=Billing', 'A new category']],
  updateCategory: [['lectern kb category update 7bnd2k4xp1 --set title=Billing', 'Another title']],
  readStatistics: [['lectern kb stats articles --start-date 2026-01-01 --limit 10', 'The ten most viewed']],
  readSearches: [['lectern kb stats searches --language-code de', 'What German readers did not find']],
  readFeedback: [['lectern kb stats feedback --limit 20', 'The 20 least helpful articles']],
  search: [['lectern kb search reset --language-code de', 'In one language']],
  readSourcePage: [['lectern kb source --language-code de > source.json', 'The articles in German']],
};

/** `lectern kb …`: the operations of the API that name a command. A terminal shows tables, files and pipes get JSON. */
export const kbCommand = defineGroup([
  groupOf('article', 'List, read, create, update and delete articles'),
  groupOf('category', 'List, read, create and update categories'),
  groupOf('stats', 'Views of articles, searches without a result, and feedback'),
  ...rowsOf(''),
]);

function groupOf(usage: string, describe: string): CommandRow {
  return { usage, describe, load: () => defineGroup(rowsOf(`${usage} `)) };
}

/** The commands that begin with the words of a group; those of no group, if there are none. */
function rowsOf(group: string): CommandRow[] {
  return (Object.keys(operations) as OperationName[]).flatMap((name) => {
    const { command = '', summary }: { command?: string; summary: string } = operations[name];
    const usage = command.slice(group.length);
    if (!command.startsWith(group) || !/^\w+(?: <\w+>)?$/.test(usage)) return [];
    const [sentence = ''] = summary.replace('Extension: ', '').split(/[.;] /, 1);
    const describe = upperFirst(sentence.replace(/\.$/, ''));
    return [{ usage, describe, load: () => defineOperation(name, usage) }];
  });
}

/**
 * A command for one operation. The fields of a query are flags in the words of the API: `category_id` is `--category-id`. Those of a body are
 * given with `--set` and `--input`.
 */
function defineOperation(name: OperationName, usage: string): Command {
  const { query, body } = operations[name];
  const word = /<(\w+)>/.exec(usage)?.[1];
  const fields = body === null ? flagsOf(query).filter(([field]) => field !== word) : [];
  const options: Record<string, Option> = {
    ...Object.fromEntries(fields.map(([field, option]) => [flagName(field), option])),
    ...(body === null
      ? {}
      : {
          set: {
            type: 'string',
            isList: true,
            describe: `FIELD=VALUE, as often as needed: ${[...fieldsOf(body).keys()].join(', ')}`,
          },
          input: { type: 'string', describe: 'JSON file of fields, - for stdin; --set wins' },
        }),
    json: jsonFlag,
    ...clientFlags,
  };
  return defineCommand({
    positionals:
      word === undefined ? {} : { [word]: { describe: word === 'id' ? 'Id of the record' : 'Search words' } },
    options,
    examples: examples[name] ?? [],
    run: async (values: UnknownRecord) => {
      const input = body === null ? readQuery(fields, word, values) : await readBody(body, values);
      if (word === 'id' && body !== null && Object.keys(input).length === 0) {
        throw usageError(
          'No field to change is given',
          'pass a field such as --set title=Reset, or --input with a JSON file of fields',
        );
      }
      const checked = checkInput(body ?? query, input);
      const { withClient } = await import('../with-client.ts');
      await withClient(values as unknown as ClientFlags, (client) => perform(client, name, checked, values));
    },
  });
}

/** What JSON Schema says of a field; `parameter` is the schema of a value in a query string. */
interface Field {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Field>>;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Field[];
  readonly items?: Field;
  readonly parameter?: Field;
  readonly description?: string;
  readonly isUndocumented?: boolean;
}

/** What a shell has other ways for: another command, or a filter of the whole list. */
const rareFields = new Set(['include_body', 'permission_group_id', 'skip', 'updated_at_before']);

/** The flags for the fields of a query. */
function flagsOf(schema: z.ZodType): readonly (readonly [field: string, option: Option])[] {
  return [...fieldsOf(schema)].flatMap(([name, field]) => {
    if (rareFields.has(name)) return [];
    const { type: types, enum: choices } = field.parameter ?? field.anyOf?.[0] ?? field;
    // A field that may be null has two types.
    const [type] = [types].flat();
    const flagType = type === 'integer' ? 'number' : type;
    if (flagType !== 'string' && flagType !== 'number' && flagType !== 'boolean') return [];
    const describe = describeField(name, field.description);
    return [[name, { type: flagType, describe, ...(choices === undefined ? {} : { choices }) }] as const];
  });
}

/** The documented fields of a query or body by name, without those that the service ignores, which may have any value. */
function fieldsOf(schema: z.ZodType): ReadonlyMap<string, Field> {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Field;
  const resolve = (field: Field): Field => ({ ...$defs[field.$ref?.split('/').at(-1) ?? ''], ...field });
  const fields = Object.entries(resolve(root).properties ?? {});
  return new Map(
    fields
      .map(([name, field]) => [name, resolve(field)] as const)
      .filter(([, { isUndocumented, type, anyOf }]) => !isUndocumented && (type ?? anyOf) !== undefined),
  );
}

/** Extension: only these. → Only these */
function describeField(name: string, description: string = name.replaceAll('_', ' ')): string {
  return upperFirst(
    description
      .replaceAll('`', '')
      .replace(/\.$/, '')
      .replace(/^Extension: /, ''),
  );
}

/** `category_id` → `category-id`. */
function flagName(field: string): string {
  return field.replaceAll('_', '-');
}

/** Queries are strings, as in a URL. */
function readQuery(
  fields: ReturnType<typeof flagsOf>,
  word: string | undefined,
  values: UnknownRecord,
): UnknownRecord {
  const names = [...fields.map(([field]) => field), ...(word === 'query' ? [word] : [])];
  return definedOnly(
    Object.fromEntries(names.map((field) => [field, values[flagName(field)]?.toString()] as const)),
  );
}

/** The fields of `--input`, overridden by those of `--set`. @throws USAGE (exit 2) */
async function readBody(body: z.ZodType, { input, set = [] }: UnknownRecord): Promise<UnknownRecord> {
  const record = input === undefined ? {} : await readRecord(`${input}`);
  const known = [...fieldsOf(body).keys()];
  const given = (set as readonly string[]).map((assignment) => {
    const [, field, value] = /^(\w+)=(.*)$/s.exec(assignment) ?? [];
    if (field === undefined || value === undefined)
      throw usageError(`--set ${assignment} is no FIELD=VALUE`, 'write for example --set title=Reset');
    if (!known.includes(field)) throw unknownField(field, known);
    return [field, readValue(body, field, value)] as const;
  });
  return { ...record, ...Object.fromEntries(given) };
}

/** The JSON value if the field takes it (`true`, `7`, `null`, `["a"]`), else the text as it is: a title may be `2026`. */
function readValue(body: z.ZodType, field: string, text: string): unknown {
  const schema = body instanceof z.ZodObject ? (body.shape[field] as z.ZodType) : z.string();
  try {
    const value: unknown = JSON.parse(text);
    return typeof value !== 'string' && schema.safeParse(value).success ? value : text;
  } catch {
    return text;
  }
}

/** The JSON object of a file, or of stdin for `-`. @throws USAGE (exit 2) */
async function readRecord(file: string): Promise<UnknownRecord> {
  try {
    const content = file === '-' ? await text(process.stdin) : readTextFile(file);
    return z.record(z.string(), z.unknown()).parse(JSON.parse(content));
  } catch (cause) {
    throw new LecternError('USAGE', `${file} is no readable file with a JSON object`, {
      hint: 'pass a file (- for standard input) with an object of API fields, e.g. {"title": "Hello"}',
      cause,
    });
  }
}

/** Checks input before anything is sent. @throws USAGE (exit 2) with every invalid field */
function checkInput(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const sentences = parsed.error.issues.map((issue) => describeWrongField(issue, value));
  throw usageError(
    sentences.join('; '),
    `correct these fields; ${docsPage('openapi.json')} describes every field`,
  );
}

function unknownField(name: string, known: readonly string[]): LecternError {
  const otherwise = `the fields are ${known.join(', ')}`;
  return unknownName(`Unknown field "${name}"`, name, known, JSON.stringify, otherwise);
}

/** Sends the request, and prints the answer. @param input the checked query or body */
async function perform(
  client: Client,
  name: OperationName,
  input: unknown,
  values: UnknownRecord,
): Promise<void> {
  const { id } = values;
  // Each method of the client takes an id, if its operation has one, and the query or body.
  const send = client[name] as (...args: unknown[]) => Promise<unknown>;
  const answer = await (id === undefined ? send(input) : send(id, input));
  printAnswer(answer ?? { deleted: id }, values.json as boolean | undefined);
}
