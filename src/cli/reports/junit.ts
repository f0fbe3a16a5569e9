import type { ReportedProblem, RunReport } from '../../foundation/report.ts';
import { escapeControls } from '../escape-controls.ts';

/**
 * A JUnit report: the build as a test case, an error where it failed, and one test case per problem, errors and
 * warnings as failures.
 */
export function formatJunitReport({ error, problems }: RunReport): string {
  const failures = problems.filter(isFailure).length;
  const cases = [buildCase(error), ...problems.map(testCase)];
  const counts = `tests="${cases.length}" failures="${failures}" errors="${error === null ? 0 : 1}"`;
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

function buildCase(error: RunReport['error']): string {
  const open = '    <testcase classname="lectern" name="build"';
  if (error === null) return `${open}/>`;
  const { code, message, hint } = error;
  return `${open}><error type="${escapeXml(code)}" message="${escapeXml(message)}">${escapeXml(hint)}</error></testcase>`;
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

/** XML 1.0 allows few control characters, not even escaped. */
function escapeXml(text: string): string {
  return escapeControls(text)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
