import type { ReportedProblem } from '../core/report.ts';

/** `docs/a.md:3`, the title and address of an article in a knowledge base, its id, or that the problem is about no single record. */
export function describePlace({
  file,
  line,
  title,
  address,
  articleId,
  categoryId,
}: ReportedProblem): string {
  if (file !== null) return line === null ? file : `${file}:${line}`;
  const record =
    articleId !== null ? `article ${articleId}` : categoryId !== null ? `category ${categoryId}` : 'general';
  const named = title === null ? record : `"${title}" (${record})`;
  return address === null ? named : `${named} ${address}`;
}
