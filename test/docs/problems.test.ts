import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problemKinds } from '../../src/foundation/problems.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/problems.md'), 'utf8');

/** Constants of other worlds that look like our codes: HTTP methods, signals, errors of Node and SQLite, names. */
const foreign =
  /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT|E[A-Z]+|EAI_AGAIN|UND_ERR\w*|ERR_\w+|HPE_\w+|CERT_\w+|DEPTH_\w+|SELF_\w+|UNABLE_\w+|SIG[A-Z]+|NF[A-Z]+|LECTERN_\w+|HTTPS?_PROXY|JSON|YAML|UTC|URL|WEBP|RIFF|ECDSA|FTS5|COMMIT|ROLLBACK|SQLITE_\w+)$/;

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

/** `docs/problems.md` with the table of problem kinds made anew. */
function withKinds(): string {
  const rows = Object.entries(problemKinds).map(
    ([code, { severity, hint }]) => `| \`${code}\` | ${severity} | ${hint.replaceAll('|', '\\|')} |`,
  );
  const table = ['| code | severity | what it means, and what to do |', '|---|---|---|', ...rows].join('\n');
  return page.replace(/(<!-- kinds -->\n)[\s\S]*(<!-- \/kinds -->)/, `$1${table}\n$2`);
}

describe('docs/problems.md', () => {
  it('holds every kind of problem as it is (written anew by npx vitest run test/docs -u)', async () => {
    await expect(withKinds()).toMatchFileSnapshot('../../docs/problems.md');
  });

  it('explains every code of the source, and no other', () => {
    const explained = [...withKinds().matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, code = '']) => code);
    expect([...codesOfSource()].sort()).toEqual([...new Set(explained)].sort());
    expect(explained.length).toBe(new Set(explained).size);
  });
});
