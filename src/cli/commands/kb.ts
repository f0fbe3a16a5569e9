import { text } from 'node:stream/consumers';
import { type OperationName, operations } from '../../core/api/operations.ts';
import { definedOnly } from '../../core/config/load-config.ts';
import { docsPage } from '../../core/docs-page.ts';
import { LecternError } from '../../core/errors.ts';
import { readTextFile } from '../../core/file-system.ts';
import { describeIssue, valueAt, z } from '../../core/schema.ts';
import { splitList } from '../../core/split-list.ts';
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
import { writeDocument, writeOutput } from '../terminal.ts';
import type { ClientFlags } from '../with-client.ts';

/** Values of the flags and words of a command of this file. */
type OperationValues = Readonly<Record<string, unknown>>;

/**
 * A command for one operation of the API. The fields of a query are flags in the words of the API: `category_id` is `--category-id`. Those of
 * a body are given with `--set` and `--input`.
 */
interface OperationCommand {
  readonly usage: string;
  readonly operation: OperationName;
  readonly examples: readonly Example[];
  /** The field of the query that is given as a word instead of a flag. */
  readonly word?: string;
}

const articleId = '4fq8d7s2ka';
const categoryId = '7bnd2k4xp1';

const articleCommands: readonly OperationCommand[] = [
  {
    usage: 'list',
    operation: 'listArticles',
    examples: [
      ['lectern kb article list --fields article_id,title', 'Ids and titles'],
      ['lectern kb article list --status draft', 'Drafts only'],
    ],
  },
  {
    usage: 'get <id>',
    operation: 'readArticle',
    examples: [[`lectern kb article get ${articleId}`, 'One article']],
  },
  {
    usage: 'create',
    operation: 'createArticle',
    examples: [
      ['lectern kb article create --set title=Reset --set is_published=true', 'A public article'],
      ['lectern kb article create --input article.json', 'All fields from a file'],
    ],
  },
  {
    usage: 'update <id>',
    operation: 'updateArticle',
    examples: [
      [`lectern kb article update ${articleId} --set title=Reset`, 'Another title'],
      [`lectern kb article update ${articleId} --set 'tags=["setup"]'`, 'Another list of tags'],
    ],
  },
  {
    usage: 'delete <id>',
    operation: 'deleteArticle',
    examples: [[`lectern kb article delete ${articleId}`, 'Deletes permanently']],
  },
];

const categoryCommands: readonly OperationCommand[] = [
  {
    usage: 'list',
    operation: 'listCategories',
    examples: [['lectern kb category list --fields category_id,title', 'Ids and titles']],
  },
  {
    usage: 'get <id>',
    operation: 'readCategory',
    examples: [[`lectern kb category get ${categoryId}`, 'One category']],
  },
  {
    usage: 'create',
    operation: 'createCategory',
    examples: [['lectern kb category create --set title=Billing', 'A new category']],
  },
  {
    usage: 'update <id>',
    operation: 'updateCategory',
    examples: [[`lectern kb category update ${categoryId} --set title=Billing`, 'Another title']],
  },
];

const statisticsCommands: readonly OperationCommand[] = [
  {
    usage: 'articles',
    operation: 'readStatistics',
    examples: [['lectern kb stats articles --start-date 2026-01-01 --limit 10', 'The ten most viewed']],
  },
  {
    usage: 'searches',
    operation: 'readSearches',
    examples: [['lectern kb stats searches --language-code de', 'What German readers did not find']],
  },
  {
    usage: 'feedback',
    operation: 'readFeedback',
    examples: [['lectern kb stats feedback --limit 20', 'The 20 least helpful articles']],
  },
];

const queryCommands: readonly OperationCommand[] = [
  {
    usage: 'search <query>',
    operation: 'search',
    word: 'query',
    examples: [
      ['lectern kb search "reset password"', 'Public articles that match'],
      ['lectern kb search reset --language-code de', 'In one language'],
    ],
  },
  {
    usage: 'source',
    operation: 'readSourcePage',
    examples: [
      ['lectern kb source --language-code de', 'One language'],
      ['lectern kb source --text > source.txt', 'As plain text'],
    ],
  },
];

/** `lectern kb …`: every operation of the API. A terminal shows tables, files and pipes get JSON. */
export const kbCommand = defineGroup(
  [
    {
      usage: 'article',
      describe: 'List, read, create, update and delete articles',
      load: () => defineGroup(articleCommands.map(rowOf), articleCommands[0]?.examples ?? []),
    },
    {
      usage: 'category',
      describe: 'List, read, create and update categories',
      load: () => defineGroup(categoryCommands.map(rowOf), categoryCommands[0]?.examples ?? []),
    },
    {
      usage: 'stats',
      describe: 'Views of articles, searches without a result, and feedback',
      load: () => defineGroup(statisticsCommands.map(rowOf), statisticsCommands[0]?.examples ?? []),
    },
    ...queryCommands.map(rowOf),
  ],
  [
    ['lectern kb article list --status draft', 'Drafts only'],
    ['lectern kb search "reset password"', 'Public articles that match'],
  ],
);

function rowOf(command: OperationCommand): CommandRow {
  const { summary } = operations[command.operation];
  const [sentence = summary] = summary.replace('Extension: ', '').split(/[.;] /, 1);
  return {
    usage: command.usage,
    describe: upperFirst(sentence.replace(/\.$/, '')),
    load: () => defineOperation(command),
  };
}

function defineOperation({ usage, operation: name, word, examples }: OperationCommand): Command {
  const { method, query, body, answer } = operations[name];
  const fields = body === null ? flagsOf(query).filter(([field]) => field !== word) : [];
  const record = recordOf(answer);
  const isOne = usage.endsWith('<id>') && method === 'GET';
  const isChange = usage.endsWith('<id>') && method !== 'GET';
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
    ...(isChange
      ? { 'if-match': { type: 'string', describe: 'Only if the record still has this ETag (get --etag)' } }
      : {}),
    ...(isOne ? { etag: { type: 'boolean', describe: 'Print the ETag alone, for --if-match' } } : {}),
    ...(name === 'readSourcePage' ? { text: { type: 'boolean', describe: 'Print the text alone' } } : {}),
    ...(record === null
      ? {}
      : { fields: { type: 'string', describe: 'Print only these fields, separated by commas' } }),
    json: jsonFlag,
    ...clientFlags,
  };
  return defineCommand({
    positionals: {
      ...(usage.endsWith('<id>') ? { id: { describe: 'Id of the record' } } : {}),
      ...(word === undefined ? {} : { [word]: { describe: 'Search words' } }),
    },
    options,
    examples,
    run: async (values: OperationValues) => {
      checkFields(values.fields, record);
      const input = body === null ? readQuery(fields, word, values) : await readBody(body, values);
      if (isChange && body !== null && Object.keys(input).length === 0) {
        throw usageError(
          'No field to change is given',
          'pass a field such as --set title=Reset, or --input with a JSON file of fields',
        );
      }
      const request = { id: String(values.id), input: checkInput(body ?? query, input), values };
      const { withClient } = await import('../with-client.ts');
      await withClient(values as unknown as ClientFlags, (client) => perform(client, name, request));
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
    if (!isOptionType(flagType)) return [];
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

function isOptionType(type: string | undefined): type is Option['type'] {
  return type === 'string' || type === 'number' || type === 'boolean';
}

function upperFirst(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** `category_id` → `category-id`. */
function flagName(field: string): string {
  return field.replaceAll('_', '-');
}

/** The record whose fields `--fields` chooses; `null` if the answer has none. */
function recordOf(answer: z.ZodType): z.ZodObject | null {
  if (answer === operations.readSourcePage.answer || !(answer instanceof z.ZodObject)) return null;
  const [first] = Object.values(answer.shape) as z.ZodType[];
  const record = first instanceof z.ZodArray ? (first.element as z.ZodType) : first;
  return record instanceof z.ZodObject ? record : null;
}

/** Queries are strings, as in a URL. */
function readQuery(
  fields: ReturnType<typeof flagsOf>,
  word: string | undefined,
  values: OperationValues,
): OperationValues {
  const names = [...fields.map(([field]) => field), ...(word === undefined ? [] : [word])];
  return definedOnly(
    Object.fromEntries(names.map((field) => [field, values[flagName(field)]?.toString()] as const)),
  );
}

/** The fields of `--input`, overridden by those of `--set`. @throws USAGE, USAGE (exit 2) */
async function readBody(body: z.ZodType, { input, set = [] }: OperationValues): Promise<OperationValues> {
  const record = input === undefined ? {} : parseRecord(await readInput(`${input}`), `${input}`);
  const known = [...fieldsOf(body).keys()];
  const given = (set as readonly string[]).map((assignment) => {
    const [, field, value] = /^(\w+)=(.*)$/s.exec(assignment) ?? [];
    if (field === undefined || value === undefined)
      throw usageError(`--set ${assignment} is no FIELD=VALUE`, 'write for example --set title=Reset');
    if (known.includes(field)) return [field, readValue(body, field, value)] as const;
    const message = `Unknown field "${field}"`;
    throw unknownName(message, field, known, JSON.stringify, `the fields are ${known.join(', ')}`);
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

/** What is sent, and the flags that decide how the answer is printed. */
interface KbRequest {
  readonly id: string;
  /** The checked query or body. */
  readonly input: never;
  readonly values: OperationValues;
}

/** Sends the request, and prints the answer. */
async function perform(client: Client, name: OperationName, { id, input, values }: KbRequest) {
  const fields = values.fields as string | undefined;
  const print = (answer: unknown) => printAnswer(answer, values.json as boolean | undefined, fields);
  const condition = { ifMatch: (values['if-match'] as string | undefined) ?? null };
  switch (name) {
    case 'readArticle':
    case 'readCategory': {
      const record = await client[name](id);
      return values.etag ? printEtag(client.etagOf(record)) : print(record);
    }
    case 'updateArticle':
    case 'updateCategory':
      return print(await client[name](id, input, condition));
    case 'deleteArticle':
      await client.deleteArticle(id, condition);
      return print({ deleted: id });
    case 'search': {
      const answer = await client.search(input);
      return print(fields === undefined ? answer : answer.articles);
    }
    case 'readSourcePage':
      if (values.text) return writeDocument(await client.readSourceText(input));
      return print(await client.readSourcePage(input));
    case 'listCategories':
      return print(await client.listCategories());
    case 'countViews':
      return client.countViews(id, input);
    default:
      return print(await client[name](input));
  }
}

/** The text of a file, or of stdin for `-`. Throws USAGE (exit 2). */
async function readInput(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : readTextFile(file);
  } catch (cause) {
    throw new LecternError('USAGE', `${file} cannot be read`, {
      hint: 'pass a file, or - for standard input',
      exitCode: 2,
      cause,
    });
  }
}

/** Throws USAGE (exit 2). */
function parseRecord(content: string, file: string): OperationValues {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(content));
  } catch (cause) {
    throw new LecternError('USAGE', `${file} is not a JSON object`, {
      hint: 'write a JSON object of API fields, e.g. {"title": "Hello"}',
      exitCode: 2,
      cause,
    });
  }
}

/** Checks input before anything is sent. Throws USAGE (exit 2) with every invalid field. */
function checkInput(schema: z.ZodType, value: unknown): never {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data as never;
  const sentences = parsed.error.issues.map((issue) =>
    [issue.path.join('.'), describeIssue(issue, valueAt(value, issue.path))].filter(Boolean).join(' '),
  );
  throw new LecternError('USAGE', sentences.join('; '), {
    hint: `correct these fields; ${docsPage('openapi.json')} describes every field`,
    exitCode: 2,
  });
}

/** Checks `--fields` before anything is sent. @throws USAGE (exit 2) */
function checkFields(fields: unknown, record: z.ZodObject | null): void {
  if (typeof fields !== 'string' || record === null) return;
  const known = Object.keys(record.shape);
  const names = splitList(fields);
  if (names.length === 0) throw usageError('--fields names no field', 'name some, e.g. --fields title,slug');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw unknownName(
    `Unknown field "${unknown}"`,
    unknown,
    known,
    JSON.stringify,
    `the fields are ${known.sort().join(', ')}`,
  );
}

/** @throws ETAG_MISSING if the service sends none */
function printEtag(etag: string | null): void {
  if (etag === null) {
    throw new LecternError('ETAG_MISSING', 'the service sends no ETag', {
      hint: 'remove --etag and --if-match; this service cannot detect concurrent edits',
    });
  }
  writeOutput(`${etag}\n`);
}
