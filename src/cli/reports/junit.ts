import type { BuildReport, ReportedProblem } from '../../report.ts';

/**
 * A JUnit report: one test case per problem, errors and warnings as failures; one passed case where nothing is odd.
 */
export function formatJunitReport({ problems }: BuildReport): string {
  const failures = problems.filter(isFailure).length;
  const cases =
    problems.length === 0 ? ['    <testcase classname="lectern" name="build"/>'] : problems.map(testCase);
  const counts = `tests="${cases.length}" failures="${failures}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="lectern" ${counts} skipped="0">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(problem: ReportedProblem): string {
  const { code, message, hint, severity } = problem;
  const open = `    <testcase classname="lectern.${code}" name="${escapeXml(nameOf(problem))}"`;
  if (!isFailure(problem)) return `${open}/>`;
  return `${open}><failure type="${severity}" message="${escapeXml(message)}">${escapeXml(hint)}</failure></testcase>`;
}

function isFailure({ severity }: ReportedProblem): boolean {
  return severity !== 'info';
}

function nameOf({ articleId, categoryId, language, message }: ReportedProblem): string {
  return [articleId ?? categoryId ?? 'knowledge base', language, message].filter(Boolean).join(' ');
}

/** XML 1.0 has no place for most control characters, not even escaped. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
