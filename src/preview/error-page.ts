import { LecternError } from '../foundation/errors.ts';

/** A page that shows why there is no other: code, message with file and line, and what to do. */
export function errorPage(error: unknown): string {
  const isKnown = error instanceof LecternError;
  const title = isKnown ? error.code : 'Lectern failed';
  const text = isKnown
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  const hint = isKnown ? error.hint : 'This is a defect of Lectern; please report it with the lines above.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<pre>${escapeHtml(text)}</pre>
<p>${escapeHtml(hint)}</p>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
