import { createHash } from 'node:crypto';
import type { BuildReport } from '../../report.ts';

const severities = { error: 'major', warning: 'minor', info: 'info' } as const;

/**
 * GitLab's code-quality report (docs.gitlab.com, "Code Quality report format"). A record of the knowledge base has no
 * file in the repository, so its id stands in the place of the path.
 */
export function formatGitlabReport({ problems }: BuildReport): string {
  const issues = problems.map(({ code, severity, message, hint, articleId, categoryId, language }) => {
    const record =
      articleId !== null ? `article/${articleId}` : categoryId !== null ? `category/${categoryId}` : '.';
    const path = language === null ? record : `${record}/${language}`;
    return {
      description: `${message}. ${hint}`,
      check_name: code,
      fingerprint: createHash('sha256')
        .update(JSON.stringify([code, path, message]))
        .digest('hex'),
      severity: severities[severity],
      location: { path, lines: { begin: 1 } },
    };
  });
  return `${JSON.stringify(issues, null, 2)}\n`;
}
