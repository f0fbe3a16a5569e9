import { LecternError } from '../../../core/errors.ts';
import type { Http, HttpRequest, HttpSettings } from '../../../core/net/http.ts';
import { readFirst } from '../../../core/net/response-body.ts';
import { parseJsonOrNull } from '../../../core/unknown-record.ts';
import type { TargetItem } from '../target.ts';

/** An item as it is sent, under the id of its passage. */
export interface PushItem extends Pick<TargetItem, 'entry' | 'files'> {
  readonly id: string;
}

/** An item that a platform refused, and why. It is sent again by the next push. */
export interface Refusal {
  readonly id: string;
  readonly reason: string;
}

/** A value that a platform needs, from the environment: nothing secret is ever a flag or in a file. */
interface PushVariable {
  readonly name: string;
  /** For the error if it is missing: `the URL of the cluster, such as https://…`. */
  readonly meaning: string;
  readonly isOptional?: true;
}

/** Creates the HTTP client for a platform. */
export type Connect = (settings: Pick<HttpSettings, 'baseUrl' | 'apiKey' | 'keyHeaders'>) => Http;

/** Ids that a platform itself gives to items, so that these can be replaced and deleted later. Every change is on disk at once. */
export interface RemoteIds {
  /** All ids under which the platform may have an item, the latest last. More than one only until the item is replaced. */
  of(id: string): readonly string[];
  add(id: string, remote: string): void;
  remove(id: string, remote: string): void;
}

/** What a connection may use. */
interface PushContext {
  /** Values of the platform's variables; `''` if an optional one is not set. */
  readonly variable: (name: string) => string;
  readonly collection: string;
  readonly connect: Connect;
  readonly sleep: (ms: number) => Promise<void>;
}

/** What sending items may use. */
interface PushState {
  readonly ids: RemoteIds;
  /** Whether the platform has accepted an item before: then a refusal is about an item, and not about the settings. */
  readonly isProven: boolean;
}

/** @throws what stops the push, after retries */
type SendItems = (items: readonly PushItem[], state: PushState) => Promise<readonly Refusal[]>;

/** An open connection to a platform. Items are sent within the limits of the target's format, and may be sent twice. */
export interface PushConnection {
  /** Where the items go, without secrets: state of another destination is refused. */
  readonly destination: string;
  /** Creates the index or table if it is missing; called before anything is sent. Absent: it must be there. */
  readonly prepare?: () => Promise<void>;
  readonly upsert: SendItems;
  /** Sends updates as `entry`; absent: the platform's items have none. */
  readonly update?: SendItems;
  /** The entries are empty. */
  readonly delete: SendItems;
  readonly close: () => Promise<void>;
}

/** Everything about a platform that is specific to pushing. */
export interface PushVendor {
  readonly variables: readonly PushVariable[];
  open(context: PushContext): PushConnection;
}

/** Makes requests of one platform. All may be repeated without harm, because an item has the same effect if it is sent twice. */
interface VendorClient {
  /** @returns the parsed JSON of the response, `null` if it has none; @throws the errors of {@link Http} with hints for this platform */
  call<T>(request: HttpRequest): Promise<{ readonly status: number; readonly body: T }>;
  close(): Promise<void>;
}

/** Where a platform is, how it gets the key, and names for messages. */
interface VendorSettings extends Omit<Parameters<Connect>[0], 'apiKey'> {
  readonly product: string;
  readonly urlVariable: string;
  readonly keyVariable: string;
}

/** Responses of vendors are short; the list of results of a bulk request is the longest. */
const maxResponseBytes = 64_000_000;

/** Creates a client whose error messages name the platform and its variables. */
export function createVendorClient(
  { connect, variable }: PushContext,
  { product, urlVariable, keyVariable, ...server }: VendorSettings,
): VendorClient {
  const apiKey = variable(keyVariable) || null;
  let http: Http | null = null;
  return {
    async call(request) {
      try {
        http ??= connect({ ...server, apiKey });
        return await http.request({ ...request, isRepeatable: true }, async ({ status, body }) => {
          const bytes = await readFirst(body, maxResponseBytes);
          return { status, body: parseJsonOrNull(bytes.toString()) as never };
        });
      } catch (error) {
        if (error instanceof LecternError) throw explainFault(error, { product, urlVariable, keyVariable });
        throw error;
      }
    },
    close: async () => http?.close(),
  };
}

function explainFault(
  error: LecternError,
  { product, urlVariable, keyVariable }: Pick<VendorSettings, 'product' | 'urlVariable' | 'keyVariable'>,
): LecternError {
  const url = `check that ${urlVariable} is the URL of ${product}: https, or http on this machine`;
  const key = `set the environment variable ${keyVariable} to a key of ${product} that may write`;
  const hints: Readonly<Record<string, string>> = {
    UNAUTHORIZED: key,
    FORBIDDEN: key,
    KEY_UNUSABLE: `set ${keyVariable} to the key without quotes, spaces or line breaks`,
    NOT_FOUND: `${url}, and that the index exists`,
    CONFIG_INVALID: url,
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

/** Refused items in a row after which the last item decides whether the others are tried. */
const maxRefusals = 8;

/**
 * Sends items in one request. If it is refused, finds the items that are the cause by halving, and sends the others.
 * @param isProven see {@link PushState}
 * @param send returns the items that the platform refused although it accepted the request
 * @throws the error of the request if the platform refuses all items and has never accepted one: then the cause is a wrong setting
 */
export async function sendHalving(
  items: readonly PushItem[],
  isProven: boolean,
  send: (items: readonly PushItem[]) => Promise<readonly Refusal[]>,
): Promise<readonly Refusal[]> {
  let hasAccepted = isProven;
  const refusals: Refusal[] = [];
  const trySend = async (part: readonly PushItem[]): Promise<readonly Refusal[] | LecternError> => {
    try {
      const refused = await send(part);
      hasAccepted ||= refused.length < part.length;
      return refused;
    } catch (error) {
      if (isRefusal(error)) return error;
      throw error;
    }
  };
  const sendPart = async (part: readonly PushItem[]): Promise<void> => {
    const answer = await trySend(part);
    if (!(answer instanceof LecternError)) return void refusals.push(...answer);
    if (part.length > 1) {
      const middle = Math.ceil(part.length / 2);
      await sendPart(part.slice(0, middle));
      return sendPart(part.slice(middle));
    }
    refusals.push(...part.map(({ id }) => ({ id, reason: answer.message })));
    if (!hasAccepted && refusals.length === maxRefusals) await trySend(items.slice(-1));
    if (!hasAccepted && refusals.length >= Math.min(maxRefusals, items.length)) throw answer;
  };
  await sendPart(items);
  return refusals;
}
