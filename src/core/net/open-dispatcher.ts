import type { LookupFunction, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
// undici makes requests with certificates and address checks of our own, which fetch of Node cannot take.
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { parseUrl } from '../addresses.ts';
import { LecternError } from '../errors.ts';
import { mapNetworkError, NetworkFault } from './network-fault.ts';
import { isPassingStatus } from './status-fault.ts';

interface DispatcherSettings {
  /** PEM certificates to trust, of origins and of https proxies; `null` trusts those that Node trusts. */
  readonly ca: readonly string[] | null;
  /** Absent: ten seconds. */
  readonly connectTimeoutMs?: number;
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  /** Resolves the names of origins if no proxy is used; absent: the system's resolver. */
  readonly lookup?: LookupFunction;
}

export type Environment = Readonly<Record<string, string | undefined>>;

type Connector = Extract<Pool.Options['connect'], (...args: never[]) => unknown>;

interface PoolOptions {
  readonly connect: Connector;
}

interface Proxy {
  /** Environment variable that contains it. */
  readonly variable: string;
  readonly url: URL;
}

/** Never requested through a proxy, for which these names would mean another machine. */
const thisMachine = 'localhost,127.0.0.1,[::1]';

/**
 * Creates the undici dispatcher: direct, or through the proxies of HTTPS_PROXY and HTTP_PROXY, except for the hosts of NO_PROXY and
 * localhost. Lower-case variable names take precedence. Without HTTPS_PROXY, HTTP_PROXY is also used for https.
 * @throws CONFIG_INVALID (exit 2); requests fail with PROXY_FAILED if the proxy is the cause
 */
export function openDispatcher(
  settings: DispatcherSettings,
  environment: Environment = process.env,
): Dispatcher {
  const { connectTimeoutMs = 10_000 } = settings;
  const tls = {
    timeout: connectTimeoutMs,
    // Created once: reading the certificates takes longer than the rest of a handshake.
    ...(settings.ca === null ? {} : { secureContext: createSecureContext({ ca: [...settings.ca] }) }),
  };
  const options = {
    connect: { ...tls, ...(settings.lookup === undefined ? {} : { lookup: settings.lookup }) },
    headersTimeout: settings.headersTimeoutMs,
    bodyTimeout: settings.bodyTimeoutMs,
  };
  const proxies = readProxies(environment);
  const [http, https] = proxies;
  if (http === null && https === null) return new Agent(options);
  const noProxy = environment.no_proxy ?? environment.NO_PROXY ?? '';
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: http?.url.href ?? '',
    httpsProxy: https?.url.href ?? '',
    noProxy: noProxy.trim() === '*' ? '*' : `${noProxy},${thisMachine}`,
    // Plain http is not tunnelled, because many proxies allow tunnels to port 443 only.
    proxyTunnel: false,
    proxyTls: tls,
    requestTls: tls,
    // Connections to a proxy, for tunnels.
    clientFactory: (url: URL, { connect }: PoolOptions) =>
      openTunnels(proxyAt(url, proxies) ?? { variable: 'HTTPS_PROXY', url }, {
        connect,
        headersTimeout: connectTimeoutMs,
      }),
    // Connections to an origin, or to the proxy itself if requests are not tunnelled.
    factory: (origin: string | URL, poolOptions: PoolOptions) => {
      const proxy = proxyAt(new URL(origin), proxies);
      if (proxy === null) return new Pool(origin, poolOptions);
      return new Pool(proxy.url.origin, { ...options, connect: blameProxy(proxy, poolOptions.connect) });
    },
  });
}

/** Whether any request may go through a proxy. */
export function usesProxy(environment: Environment = process.env): boolean {
  return readProxies(environment).some((proxy) => proxy !== null);
}

function readProxies(environment: Environment): readonly [http: Proxy | null, https: Proxy | null] {
  return [readProxy('HTTP_PROXY', environment), readProxy('HTTPS_PROXY', environment)];
}

function readProxy(name: string, environment: Environment): Proxy | null {
  const variable = environment[name.toLowerCase()] === undefined ? name : name.toLowerCase();
  const text = environment[variable]?.trim() ?? '';
  if (text === '') return null;
  const address = text.includes('://') ? text : `http://${text}`;
  const url = parseUrl(address);
  if (url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '') return { variable, url };
  // The message does not contain the value, because it may contain a password.
  throw new LecternError('CONFIG_INVALID', `${variable} is not the URL of an http or https proxy`, {
    hint: `set ${variable} to a URL such as http://proxy.example.com:3128, or unset it`,
  });
}

function proxyAt(url: URL, proxies: readonly (Proxy | null)[]): Proxy | null {
  return proxies.findLast((proxy) => proxy?.url.href === url.href) ?? null;
}

/** Connections to a proxy that become tunnels. If the proxy refuses, this is reported as its failure, not that of the origin. */
function openTunnels(proxy: Proxy, options: PoolOptions & { readonly headersTimeout: number }): Pool {
  const pool = new Pool(proxy.url.origin, { ...options, connect: blameProxy(proxy, options.connect) });
  const ask: (params: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> = pool.connect.bind(pool);
  pool.connect = async (params: Dispatcher.ConnectOptions) => {
    let answer: Dispatcher.ConnectData;
    try {
      answer = await ask(params);
    } catch (cause) {
      throw unreachable(proxy, cause);
    }
    if (answer.statusCode === 200) return answer;
    answer.socket.on('error', () => {}).destroy();
    throw refused(proxy, params.path, answer.statusCode);
  };
  return pool;
}

function blameProxy(proxy: Proxy, connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error === null) callback(null, socket as Socket);
      else callback(unreachable(proxy, error), null);
    });
}

function unreachable(proxy: Proxy, cause: unknown): NetworkFault {
  const { variable, url } = proxy;
  const known = mapNetworkError(cause, `the proxy ${url.host} of ${variable}`);
  if (known?.code === 'PROXY_FAILED') return known;
  const message = known?.message ?? `the proxy ${url.host} of ${variable} failed: ${String(cause)}`;
  return new NetworkFault('PROXY_FAILED', message, {
    hint: `check that the proxy runs and that ${variable} is its URL, or add the host to NO_PROXY`,
    retry: known?.retry ?? 'never',
    cause,
  });
}

function refused({ variable, url }: Proxy, target: string, status: number): NetworkFault {
  const hint =
    status === 407
      ? `put user and password into ${variable}, as in http://USER:PASSWORD@proxy.example.com:3128`
      : `ask the operator of the proxy whether it may connect to ${target}, or name the host in NO_PROXY`;
  return new NetworkFault(
    'PROXY_FAILED',
    `the proxy ${url.host} of ${variable} refused to connect to ${target}: it answered ${status}`,
    { hint, retry: isPassingStatus(status) ? 'always' : 'never' },
  );
}
