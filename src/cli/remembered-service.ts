import { readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { LecternError } from '../core/errors.ts';
import { makeFolder, readJsonOrNull, writeFileAtomically } from '../core/file-system.ts';

/** How other commands in the folder reach a service that was started there. */
interface ServiceAccess {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** PEM file of the certificate to trust; `null` if clients already trust it. */
  readonly ca: string | null;
}

interface RememberedService extends ServiceAccess {
  /** What it serves: the name of its SQLite file, or `PostgreSQL`. */
  readonly data: string;
  readonly startedMs: number;
}

/** File beside the certificate of a service. Only its user may read it, because it has a key. */
const fileName = 'service.json';

/** The key that a service had when it ran last; `null`: it never ran. */
export function rememberedKey(tlsFolder: string): string | null {
  return readService(tlsFolder)?.apiKey ?? null;
}

/** The services that were started in a folder; of several with the same address, only the newest. */
export function rememberedServices(folder: string): readonly RememberedService[] {
  const services = readdirSync(folder)
    .filter((name) => name.endsWith('-tls'))
    .flatMap((name) => readService(join(folder, name)) ?? [])
    .sort((a, b) => a.startedMs - b.startedMs);
  return [...new Map(services.map((service) => [service.baseUrl, service])).values()];
}

/** Stores address, key and certificate of a service that was started, so that they survive it. */
export function rememberService(tlsFolder: string, service: ServiceAccess): void {
  makeFolder(tlsFolder, 0o700);
  writeFileAtomically(join(tlsFolder, fileName), [`${JSON.stringify(service)}\n`], { mode: 0o600 });
}

/** The service that is meant if a command names none: the only one; `null`: that is not clear. */
export function onlyService(folder: string): RememberedService | null {
  const [only, ...others] = rememberedServices(folder);
  return only === undefined || others.length > 0 ? null : only;
}

/**
 * Lets commands find the service of their folder: if the settings name no source, the only one is the source, and its key and certificate
 * are used for its address wherever none are given.
 * @param isSourceGiven whether settings name a kind of source
 * @param environment gets `LECTERN_API_KEY`, if it has none
 */
export function findService(
  config: ResolvedConfig,
  isSourceGiven: boolean,
  folder: string,
  environment: NodeJS.ProcessEnv,
): ResolvedConfig {
  if (config.source.kind !== 'api') return config;
  const { baseUrl } = config;
  const isFree = baseUrl === undefined && !isSourceGiven;
  const service = isFree
    ? onlyService(folder)
    : rememberedServices(folder).find((one) => one.baseUrl === baseUrl);
  if (service == null) return config;
  environment.LECTERN_API_KEY ||= service.apiKey;
  const ca = config.tls.ca ?? service.ca;
  return { ...config, baseUrl: service.baseUrl, tls: ca === null ? {} : { ca: resolve(folder, ca) } };
}

/** If no service is set because several were started in the folder, the error that lists them; otherwise the same error. */
export function explainServices(error: unknown, folder: string): unknown {
  if (!(error instanceof LecternError) || error.code !== 'SOURCE_MISSING') return error;
  const services = rememberedServices(folder);
  if (services.length < 2) return error;
  const lines = services.map(({ baseUrl, data }) => `  ${baseUrl} (${data})`);
  const message = `${services.length} services were started in this folder:\n${lines.join('\n')}`;
  return new LecternError('SOURCE_MISSING', message, {
    hint: 'choose one with --base-url (LECTERN_BASE_URL), whose key is then used',
    cause: error,
  });
}

function readService(tlsFolder: string): RememberedService | null {
  const file = join(tlsFolder, fileName);
  const { baseUrl, apiKey, ca = null } = (readJsonOrNull(file) ?? {}) as Partial<ServiceAccess>;
  // A damaged file is as good as none: the next start writes it again.
  if (typeof baseUrl !== 'string' || typeof apiKey !== 'string') return null;
  const name = basename(tlsFolder, '-tls');
  const data = name === 'lectern' ? 'PostgreSQL' : name;
  const startedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return { baseUrl, apiKey, ca, data, startedMs };
}
