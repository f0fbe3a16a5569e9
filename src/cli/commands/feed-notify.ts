import { resolve } from 'node:path';
import type { Notice } from '../../consumers/notice/notice.ts';
import type { Delivery } from '../../consumers/notice/send-notices.ts';
import { docsPage } from '../../core/docs-page.ts';
import { LecternError } from '../../core/errors.ts';
import { defineCommand, type FlagValues, usageError } from '../command.ts';
import { insecureFlag } from '../flags.ts';
import { interruptible } from '../interrupt.ts';
import { readConfig } from '../read-config.ts';
import { writeOutput } from '../terminal.ts';

const options = {
  'site-url': { type: 'string', describe: 'Public URL of the site' },
  force: { type: 'boolean', default: false, describe: 'Send also what was sent before' },
  ...insecureFlag,
  config: { type: 'string', describe: 'Configuration file (default lectern.config.json)' },
  json: { type: 'boolean', describe: 'Print the result as JSON' },
} as const;

/** `lectern feed notify`: tells webhooks that a new run of the feed is online. */
export const notifyCommand = defineCommand({
  options,
  examples: [['lectern feed notify', 'After the upload: tell the webhooks of output.notify']],
  epilogue: `Notices are signed with LECTERN_WEBHOOK_SECRET, see ${docsPage('notices.md')}.`,
  run: runNotify,
});

/** A receiver checks that a notice is at most five minutes old: all attempts take less. */
const network = {
  maxAttempts: 5,
  maxRetryAfterMs: 45_000,
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 10_000,
  maxAnswerMs: 10_000,
  maxAnswerBytes: 1_000_000,
};

async function runNotify(flags: FlagValues<typeof options>): Promise<void> {
  const { openFeed } = await import('../../feed/read/open-feed.ts');
  const { manifestPath } = await import('../../feed/read/feed-reader.ts');
  const { makeNotice, parseWebhookSecrets, signNotice } = await import('../../consumers/notice/notice.ts');
  const { sendNotices } = await import('../../consumers/notice/send-notices.ts');
  const { createHttp } = await import('../../core/net/http.ts');
  const { trustedCertificates } = await import('../../core/net/trusted-certificates.ts');
  const folder = process.cwd();
  const siteUrl = flags['site-url'];
  const config = await readConfig(flags.config, siteUrl === undefined ? {} : { siteUrl });
  const { notify } = config.output;
  if (config.siteUrl === undefined) throw usageError('siteUrl is not set', 'set siteUrl, or pass --site-url');
  if (notify.length === 0)
    throw usageError('output.notify has no webhook', 'add the URL of a webhook to output.notify');
  const secrets = parseWebhookSecrets(process.env.LECTERN_WEBHOOK_SECRET ?? '');
  const site = await openFeed(config.siteUrl, async () => config, folder);
  const manifest = await site.read(manifestPath).finally(() => site.close());
  const feedUrl = new URL(manifestPath, config.siteUrl.replace(/\/*$/, '/')).href;
  if (manifest === null) {
    throw new LecternError('FEED_MISSING', `there is no feed at ${feedUrl}`, {
      hint: 'upload the output first; a notice tells only of what is online',
    });
  }
  const notice = makeNotice(manifest, feedUrl);
  const ca = await trustedCertificates(config.tls, folder);
  const deliveries = await interruptible((signal) => {
    const post = async (address: string): Promise<void> => {
      const url = new URL(address);
      const http = createHttp({
        ...network,
        baseUrl: url.origin,
        apiKey: null,
        ca,
        insecureLoopback: flags['insecure-loopback'] ?? false,
        signal,
      });
      const headers = signNotice(notice, secrets, Date.now());
      const path = url.pathname + url.search;
      const request = { method: 'POST', path, headers, body: notice.body, isRepeatable: true } as const;
      await http.request(request, async () => {}).finally(() => http.close());
    };
    return sendNotices(notify, notice, {
      stateFile: resolve(folder, config.cache, '.notices.json'),
      isForced: flags.force,
      post,
    });
  });
  writeOutput(
    flags.json
      ? `${JSON.stringify({ feed_url: feedUrl, seq: notice.seq, deliveries })}\n`
      : format(notice, deliveries),
  );
  const failed = deliveries.filter(({ outcome }) => outcome === 'failed').length;
  if (failed > 0) {
    throw new LecternError(
      'NOTICE_FAILED',
      `${failed} of ${deliveries.length} webhooks did not take the notice of run ${notice.seq}`,
      {
        hint: 'run the command again: it sends only to these',
      },
    );
  }
}

function format({ seq }: Notice, deliveries: readonly Delivery[]): string {
  const words = { sent: 'sent', known: 'sent before', failed: 'failed' };
  return deliveries
    .map(({ url, outcome, error }) => `run ${seq}, ${words[outcome]}: ${error ?? url}\n`)
    .join('');
}
