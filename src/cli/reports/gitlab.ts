import { createHash } from 'node:crypto';
import type { RunReport } from '../../foundation/report.ts';
import { escapeControls } from '../escape-controls.ts';

const severities = { error: 'major', warning: 'minor', info: 'info' } as const;

/**
 * GitLab's code-quality report (docs.gitlab.com, "Code Quality report format"). A record of the knowledge base has no
 * file in the repository, so its id replaces the path. What failed the run comes first, as a blocker.
 */
export function formatGitlabReport({ error, problems }: RunReport): string {
  const issues = problems.map(({ code, severity, message, hint, articleId, categoryId, language }) => {
    const record =
      articleId !== null ? `article/${articleId}` : categoryId !== null ? `category/${categoryId}` : '.';
    const path = language === null ? record : `${record}/${language}`;
    return issue({ code, message, hint, path, severity: severities[severity] });
  });
  const failure = error === null ? [] : [issue({ ...error, path: '.', severity: 'blocker' })];
  return `${escapeControls(JSON.stringify([...failure, ...issues], null, 2))}\n`;
}

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly path: string;
  readonly severity: string;
}

function issue({ code, message, hint, path, severity }: Finding) {
  return {
    description: `${message}. ${hint}`,
    check_name: code,
    fingerprint: createHash('sha256')
      .update(JSON.stringify([code, path, message]))
      .digest('hex'),
    severity,
    location: { path, lines: { begin: 1 } },
  };
}
