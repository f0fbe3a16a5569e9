import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problemKinds } from '../../src/core/problems.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/problems.md'), 'utf8');

/** Constants of other worlds that look like our codes: HTTP methods, signals, errors of Node, YAML and SQLite, variables, pictures, Parquet, dates, names. */
const foreign =
  /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT|E[A-Z]+|EAI_AGAIN|BAD_SCALAR_START|BLOCK_AS_IMPLICIT_KEY|DUPLICATE_KEY|TAB_AS_INDENT|UND_ERR\w*|ERR_\w+|HPE_\w+|CERT_\w+|DEPTH_\w+|INHERIT|SELF_\w+|UNABLE_\w+|SIG[A-Z]+|NF[A-Z]+|LECTERN_\w+|HTTPS?_PROXY|JSON|YAML|UTC|URL|WEBP|RIFF|IHDR|PLTE|IDAT|IEND|ECDSA|FTS5|AMP|BEGIN|COMMIT|ROLLBACK|REDACTED|SQLITE_\w+|(?:OPENAI|PINECONE|QDRANT|ELASTICSEARCH)_\w+|DATABASE_URL|BOOLEAN|BYTE_ARRAY|INT\d+|LIST|UTF8|OPTIONAL|REPEATED|REQUIRED|TIMESTAMP_MILLIS|MM)$/;

/** Every code the source may raise or report: all string constants in capitals that are not foreign. */
function codesOfSource(): Set<string> {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  const codes = files.flatMap((path) => {
    const text = readFileSync(join(root, 'src', path), 'utf8');
    return [...text.matchAll(/'([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*)'/g)].map(([, code = '']) => code);
  });
  return new Set([...codes.filter((code) => !foreign.test(code)), ...Object.keys(problemKinds)]);
}

const severities = { error: 'Errors of records', warning: 'Warnings', info: 'For information' } as const;

/** The codes that the list items of a part of the page explain. */
function codesOf(text: string): string[] {
  const items = text.matchAll(/^- ((?:`[A-Z0-9_]+`(?:,\s+)?)+): /gm);
  return [...items].flatMap(([, codes = '']) => codes.replaceAll('`', '').split(/,\s+/));
}

describe('docs/problems.md', () => {
  it.each(Object.entries(severities))('lists every kind of problem of the severity %s', (severity, title) => {
    const [, section = ''] = page.split(`\n### ${title}\n`);
    const kinds = Object.entries(problemKinds).filter(([, kind]) => kind.severity === severity);
    expect(codesOf(section.split('\n#', 1)[0] ?? '').sort()).toEqual(kinds.map(([code]) => code).sort());
  });

  it('explains every code of the source, and no other', () => {
    const explained = codesOf(page);
    expect([...codesOfSource()].sort()).toEqual([...new Set(explained)].sort());
    expect(explained.length).toBe(new Set(explained).size);
  });
});
