import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { makeFolder, readTextFile, writeFileAtomically } from '../core/file-system.ts';

/** How other commands in the folder reach a service that was started there. */
interface RememberedService {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** PEM file of the certificate to trust; `null` if clients already trust it. */
  readonly ca: string | null;
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

/** Stores address, key and certificate of a running service, so that they survive it. */
export function rememberService(tlsFolder: string, service: RememberedService): void {
  makeFolder(tlsFolder, 0o700);
  writeFileAtomically(join(tlsFolder, fileName), [`${JSON.stringify(service)}\n`], 0o600);
}

/**
 * Lets commands find the service of their folder: if the settings name no source, it is the source, and its key and certificate are used for
 * its address wherever none are given.
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
  const found = services.find(({ baseUrl }) => baseUrl === config.baseUrl);
  const [only, ...others] = services;
  const isFree = config.baseUrl === undefined && !isSourceGiven && others.length === 0;
  const service = found ?? (isFree ? only : undefined);
  if (service === undefined) return config;
  environment.LECTERN_API_KEY ||= service.apiKey;
  const ca = config.tls.ca ?? service.ca;
  return { ...config, baseUrl: service.baseUrl, tls: ca === null ? {} : { ca: resolve(folder, ca) } };
}

function readService(tlsFolder: string): RememberedService | null {
  const file = join(tlsFolder, fileName);
  if (!existsSync(file)) return null;
  try {
    const stored = JSON.parse(readTextFile(file)) as Partial<RememberedService>;
    const { baseUrl, apiKey, ca = null } = stored;
    return typeof baseUrl === 'string' && typeof apiKey === 'string' ? { baseUrl, apiKey, ca } : null;
  } catch {
    // A damaged file is as good as none: the next start writes it again.
    return null;
  }
}
