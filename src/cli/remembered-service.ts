import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { LecternError } from '../core/errors.ts';
import { makeFolder, readTextFile, writeFileAtomically } from '../core/file-system.ts';
import { describeSelf, hasEnded, type Owner } from '../output/lock.ts';

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
  /** `false` if it has certainly ended. */
  readonly runs: boolean;
}

/** File beside the certificate of a service. Only its user may read it, because it has a key. */
const fileName = 'service.json';

/** The key that a service had when it ran last; `null`: it never ran. */
export function rememberedKey(tlsFolder: string): string | null {
  return readService(tlsFolder)?.apiKey ?? null;
}

/** The services that were started in a folder. */
export function rememberedServices(folder: string): readonly RememberedService[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('-tls'))
    .flatMap((name) => readService(join(folder, name)) ?? []);
}

/**
 * Stores address, key and certificate of a running service, so that they survive it.
 * @returns notes that it ended
 */
export function rememberService(tlsFolder: string, service: ServiceAccess): () => void {
  const write = (owner: Owner | null): void => {
    makeFolder(tlsFolder, 0o700);
    const text = JSON.stringify({ ...service, process: owner });
    writeFileAtomically(join(tlsFolder, fileName), [`${text}\n`], 0o600);
  };
  write(describeSelf());
  return () => {
    // Another service may have been started with the same data.
    if (readService(tlsFolder)?.baseUrl !== service.baseUrl) return;
    write(null);
  };
}

/** The service that is meant if a command names none: the only one, or else the only one that runs; `null`: that is not clear. */
export function onlyService(folder: string): RememberedService | null {
  return chooseService(rememberedServices(folder));
}

/**
 * Lets commands find the service of their folder: if the settings name no source, the only one, or the one that runs, is the source, and its key and
 * certificate are used for its address wherever none are given.
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
  const services = rememberedServices(folder);
  const { baseUrl } = config;
  const named = services.filter((service) => service.baseUrl === baseUrl);
  const isFree = baseUrl === undefined && !isSourceGiven;
  // Several may have used one port, one after the other.
  const service = isFree ? chooseService(services) : (chooseService(named) ?? named[0] ?? null);
  if (service === null) return config;
  environment.LECTERN_API_KEY ||= service.apiKey;
  const ca = config.tls.ca ?? service.ca;
  return { ...config, baseUrl: service.baseUrl, tls: ca === null ? {} : { ca: resolve(folder, ca) } };
}

/** If no service is set because several were started in the folder, the error that lists them; otherwise the same error. */
export function explainServices(error: unknown, folder: string): unknown {
  if (!(error instanceof LecternError) || error.code !== 'SOURCE_MISSING') return error;
  const services = rememberedServices(folder);
  if (services.length < 2) return error;
  const [what, how] = services.some(({ runs }) => runs)
    ? ['more than one of them may run', 'stop the others']
    : ['none of them runs', 'start one with lectern serve --data FILE'];
  const lines = services.map(({ baseUrl, data }) => `  ${baseUrl} (${data})`);
  const message = `${services.length} services were started in this folder, and ${what}:\n${lines.join('\n')}`;
  return new LecternError('SOURCE_MISSING', message, {
    hint: `${how}, or choose one with --base-url (LECTERN_BASE_URL), whose key is then used`,
    exitCode: error.exitCode,
    cause: error,
  });
}

function chooseService(services: readonly RememberedService[]): RememberedService | null {
  const [only, ...others] = services.length > 1 ? services.filter(({ runs }) => runs) : services;
  return only === undefined || others.length > 0 ? null : only;
}

function readService(tlsFolder: string): RememberedService | null {
  const file = join(tlsFolder, fileName);
  if (!existsSync(file)) return null;
  try {
    const stored = JSON.parse(readTextFile(file)) as Partial<ServiceAccess> & { readonly process?: unknown };
    const { baseUrl, apiKey, ca = null, process = null } = stored;
    if (typeof baseUrl !== 'string' || typeof apiKey !== 'string') return null;
    const name = basename(tlsFolder, '-tls');
    const data = name === 'lectern' ? 'PostgreSQL' : name;
    return { baseUrl, apiKey, ca, data, runs: !hasEnded(process) };
  } catch {
    // A damaged file is as good as none: the next start writes it again.
    return null;
  }
}
