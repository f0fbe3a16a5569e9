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

const severities = { error: 'Errors', warning: 'Warnings', info: 'For information' } as const;

/** The report has the whole hint. */
function firstSentence(hint: string): string {
  return hint.replace(/\. .*/s, '').replace(/\.$/, '');
}

/** `docs/problems.md` with the lists of problem kinds made anew, one per severity. */
function withKinds(): string {
  const lists = Object.entries(severities).map(([severity, title]) => {
    const kinds = Object.entries(problemKinds).filter(([, kind]) => kind.severity === severity);
    return [
      `### ${title}`,
      '',
      ...kinds.map(([code, { hint }]) => `- \`${code}\`: ${firstSentence(hint)}`),
      '',
    ].join('\n');
  });
  return page.replace(/(<!-- kinds -->\n)[\s\S]*(<!-- \/kinds -->)/, `$1\n${lists.join('\n')}\n$2`);
}

describe('docs/problems.md', () => {
  it('holds every kind of problem as it is (rewritten by npx vitest run test/docs -u)', async () => {
    await expect(withKinds()).toMatchFileSnapshot('../../docs/problems.md');
  });

  it('explains every code of the source, and no other', () => {
    const lines = withKinds().matchAll(/^- ((?:`[A-Z0-9_]+`(?:,\s+)?)+): /gm);
    const explained = [...lines].flatMap(([, codes = '']) => codes.replaceAll('`', '').split(/,\s+/));
    expect([...codesOfSource()].sort()).toEqual([...new Set(explained)].sort());
    expect(explained.length).toBe(new Set(explained).size);
  });
});
