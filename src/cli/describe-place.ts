import type { ReportedProblem } from '../foundation/report.ts';

/** `docs/a.md:3`, the title and address of an article in a knowledge base, or its id. */
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
    articleId !== null
      ? `article ${articleId}`
      : categoryId !== null
        ? `category ${categoryId}`
        : 'knowledge base';
  const named = title === null ? record : `"${title}" (${record})`;
  return address === null ? named : `${named} ${address}`;
}
