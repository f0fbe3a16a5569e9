import { LecternError } from '../../../core/errors.ts';
import type { Http, HttpRequest, HttpSettings } from '../../../core/net/http.ts';

/** An item that a platform refused, and why. It is sent again by the next push. */
export interface Refusal {
  /** Id in the feed; for platforms that only know UUIDs, the UUID. */
  readonly id: string;
  readonly reason: string;
}

/** A file of an export, which is sent in one step: after a kill, the whole step is repeated. */
interface PushFile {
  /** Relative to the export, e.g. `upserts/00001.json`. */
  readonly path: string;
  readonly text: string;
}

/** A value that a platform needs, from the environment: nothing secret is ever a flag or in a file. */
interface PushVariable {
  readonly name: string;
  /** For the error if it is missing: `the URL of the cluster, such as https://…`. */
  readonly meaning: string;
  readonly isOptional?: true;
}

/** Creates the HTTP client for a platform. */
export type Connect = (
  settings: Pick<HttpSettings, 'baseUrl' | 'apiKey' | 'authorize' | 'keyHeader'>,
) => Http;

/** What a platform stores under ids of its own, so that items can be replaced and deleted later. Every change is on disk at once. */
export interface RemoteIds {
  /** The remote id of an item that the platform has. */
  stored(id: string): string | undefined;
  /** The remote id of an item that was uploaded, but is not in use yet. */
  uploaded(id: string): string | undefined;
  /** Remote ids that nothing uses any more. */
  unused(): readonly string[];
  upload(id: string, remote: string): void;
  /** The upload is in use, and what was stored before is unused. */
  store(id: string): void;
  /** The upload is not wanted. */
  drop(id: string): void;
  /** What is stored is unused. */
  remove(id: string): void;
  /** The platform does not have it any more. */
  forget(remote: string): void;
}

/** What a connection may use. */
interface PushContext {
  /** Values of the platform's variables; `''` if an optional one is not set. */
  readonly variable: (name: string) => string;
  readonly collection: string;
  readonly connect: Connect;
  readonly sleep: (ms: number) => Promise<void>;
  readonly ids: RemoteIds;
  /** Reads another file of the export. */
  readonly read: (path: string) => string;
}

/** An open connection to a platform. */
export interface PushConnection {
  /** Where the items go, without secrets: state of another destination is refused. */
  readonly destination: string;
  /** Requests for a file, at least. */
  requests(file: PushFile): number;
  /**
   * Sends a file of the export; must have the same effect if it is called twice.
   * @throws what stops the push, after retries
   */
  send(file: PushFile): Promise<readonly Refusal[]>;
  close(): Promise<void>;
}

/** Everything about a platform that is specific to pushing. */
export interface PushVendor {
  readonly variables: readonly PushVariable[];
  open(context: PushContext): PushConnection;
}

/** Makes requests of one platform. */
interface VendorClient {
  /** @returns the parsed JSON of the response, `null` if it has none; @throws the errors of {@link Http} with hints for this platform */
  call<T>(request: HttpRequest): Promise<{ readonly status: number; readonly body: T }>;
  close(): Promise<void>;
}

/** Names for messages. */
interface VendorNames {
  readonly product: string;
  readonly urlVariable: string;
  readonly keyVariable: string;
}

/** Responses of vendors are short; the list of results of a bulk request is the longest. */
const maxResponseBytes = 64_000_000;

/** Creates a client whose error messages name the platform and its variables. */
export function createVendorClient(
  connect: Connect,
  settings: Parameters<Connect>[0],
  names: VendorNames,
): VendorClient {
  const explained = async <T>(act: () => Promise<T> | T): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      if (error instanceof LecternError) throw explainFault(error, names);
      throw error;
    }
  };
  let http: Http | null = null;
  return {
    call: (request) =>
      explained(async () => {
        http ??= connect(settings);
        return await http.request(request, async ({ status, body }) => {
          const parts: Uint8Array[] = [];
          let bytes = 0;
          for await (const part of body) {
            bytes += part.byteLength;
            if (bytes > maxResponseBytes) break;
            parts.push(part);
          }
          return { status, body: parseJson(Buffer.concat(parts).toString()) as never };
        });
      }),
    close: async () => http?.close(),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function explainFault(error: LecternError, { product, urlVariable, keyVariable }: VendorNames): LecternError {
  const url = `check that ${urlVariable} is the URL of ${product}: https, or http on this machine`;
  const key = `set the environment variable ${keyVariable} to a key of ${product} that may write`;
  const hints: Readonly<Record<string, string>> = {
    UNAUTHORIZED: key,
    FORBIDDEN: key,
    API_KEY_MISSING: key,
    API_KEY_INVALID: `set ${keyVariable} to the key without quotes, spaces or line breaks`,
    NOT_FOUND: `${url}, and that the index exists`,
    BASE_URL_INVALID: url,
    INSECURE_URL: url,
    RATE_LIMITED: `run again later: the push continues where it stopped`,
    SERVER_ERROR: `run again later: the push continues where it stopped`,
  };
  const hint = hints[error.code] ?? error.hint;
  return new LecternError(error.code, error.message, { hint, exitCode: error.exitCode, cause: error });
}

/** Whether a request failed because of its content, so that a part of it may be accepted. */
function isRefusal(error: unknown): error is LecternError {
  return error instanceof LecternError && (error.code === 'REQUEST_REFUSED' || error.code === 'NOT_FOUND');
}

/**
 * Sends items in one request. If it is refused, finds the items that are the cause by halving, and sends the others.
 * @throws if all items are refused, the cause cannot be an item: the error of the request
 */
export async function sendHalving<T>(
  items: readonly T[],
  idOf: (item: T) => string,
  send: (items: readonly T[]) => Promise<readonly Refusal[]>,
): Promise<readonly Refusal[]> {
  if (items.length === 0) return [];
  try {
    return await send(items);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const refusals = await sendRest(items, error, idOf, send);
    if (refusals.length === items.length) throw error;
    return refusals;
  }
}

async function sendRest<T>(
  items: readonly T[],
  error: LecternError,
  idOf: (item: T) => string,
  send: (items: readonly T[]) => Promise<readonly Refusal[]>,
): Promise<readonly Refusal[]> {
  const [first] = items;
  if (first !== undefined && items.length === 1) return [{ id: idOf(first), reason: error.message }];
  const middle = Math.ceil(items.length / 2);
  const refusals: Refusal[] = [];
  for (const half of [items.slice(0, middle), items.slice(middle)]) {
    try {
      refusals.push(...(await send(half)));
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
      refusals.push(...(await sendRest(half, cause, idOf, send)));
    }
    // With the first items all refused, the others would be, too: a wrong setting, not a wrong item.
    if (refusals.length >= maxRefusals && refusals.length >= middle) break;
  }
  return refusals;
}

/** Refused items in a row after which the rest is not tried. */
const maxRefusals = 8;
