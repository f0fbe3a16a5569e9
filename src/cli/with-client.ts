import type { ContentPolicy } from '../content/document.ts';
import { networkOf } from '../core/config/source-settings.ts';
import { LecternError } from '../core/errors.ts';
import { trustedCertificates } from '../core/net/trusted-certificates.ts';
import { createClient } from '../source/api/client.ts';
import type { Client } from '../source/api/client-types.ts';
import { readConfig } from './read-config.ts';
import { explainServices } from './remembered-service.ts';

/** Location of the knowledge base; the key comes only from LECTERN_API_KEY. */
export interface ClientFlags {
  readonly config: string | undefined;
  readonly 'base-url': string | undefined;
  readonly 'insecure-loopback': boolean;
}

/** Context of a command besides the client. */
interface ClientContext {
  readonly baseUrl: string;
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** How bodies are published. */
  readonly policy: ContentPolicy;
}

/**
 * Opens a client according to configuration, environment and flags, passes it to `work`, and closes it.
 * @throws SOURCE_MISSING, KEY_UNUSABLE and what loading the configuration throws (all exit 2)
 */
export async function withClient<T>(
  flags: ClientFlags,
  work: (client: Client, context: ClientContext) => Promise<T>,
): Promise<T> {
  const config = await readConfig(flags.config, { baseUrl: flags['base-url'] });
  if (config.baseUrl === undefined) {
    const missing = new LecternError('SOURCE_MISSING', 'the URL of the knowledge-base API is not set', {
      hint: 'pass --base-url, set LECTERN_BASE_URL, or add baseUrl to lectern.config.json',
    });
    throw config.source.kind === 'api' ? explainServices(missing, process.cwd()) : missing;
  }
  const client = createClient({
    baseUrl: config.baseUrl,
    apiKey: process.env.LECTERN_API_KEY ?? '',
    ca: await trustedCertificates(config.tls, process.cwd()),
    insecureLoopback: flags['insecure-loopback'],
    network: networkOf(config.source),
  });
  try {
    const { baseUrl, defaultLanguage, content: policy } = config;
    return await work(client, { baseUrl, defaultLanguage, policy });
  } finally {
    await client.close();
  }
}
