import type { HostFiles, RecordRule, RedirectRule, RedirectTable } from '../redirect-table.ts';

/** Most routing rules of a bucket (S3's documentation of website hosting). */
const mostRules = 50;

/**
 * Routing rules of an S3 website, for `aws s3api put-bucket-website`. They apply to missing files, by prefix, so that one rule covers every
 * slug of a record. S3 rejects more rules than its limit, so the rest is omitted. S3 sends no custom headers and does not support status
 * 410.
 */
export function writeS3(table: RedirectTable): HostFiles {
  const kept: object[] = [];
  let count = 0;
  for (const rule of routingRules(table)) {
    count += 1;
    if (kept.length < mostRules) kept.push(rule);
  }
  const excess = count - mostRules;
  return {
    files: [
      {
        path: 'hosting/s3-routing-rules.json',
        content: [`${JSON.stringify(kept, null, 2)}\n`],
      },
    ],
    limits: () => (excess > 0 ? [`S3 takes ${mostRules} routing rules; ${excess} were skipped`] : []),
  };
}

function* routingRules({ basePath, exact, records }: RedirectTable) {
  for (const { from, to, isPermanent } of exact) yield routingRule(from, to, isPermanent);
  for (const { kind, id, to } of records) yield routingRule(`${basePath}/${kind}/${id}`, to, true);
  for (const record of records) yield* languageRules(record, basePath);
}

function languageRules({ kind, id, toByLanguage }: RecordRule, basePath: string) {
  return [...toByLanguage].map(([language, to]) =>
    routingRule(`${basePath}/l/${language}/${kind}/${id}`, to, true),
  );
}

function routingRule(from: RedirectRule['from'], to: string, isPermanent: boolean) {
  const url = to.startsWith('/') ? null : new URL(to);
  return {
    Condition: { KeyPrefixEquals: from.slice(1), HttpErrorCodeReturnedEquals: '404' },
    Redirect: {
      ...(url === null ? {} : { HostName: url.host, Protocol: url.protocol.slice(0, -1) }),
      ReplaceKeyWith: url === null ? to.slice(1) : (url.pathname + url.search + url.hash).slice(1),
      HttpRedirectCode: isPermanent ? '301' : '302',
    },
  };
}
