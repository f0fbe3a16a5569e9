import { LecternError } from '../../core/errors.ts';
import type { AskModel } from './answer-question.ts';

/** Where the model is. */
interface ModelSettings {
  /** Base URL of the API without a slash at its end, e.g. `https://api.openai.com/v1`. */
  readonly url: string;
  /** Name of the model, e.g. `gpt-4.1-mini`. */
  readonly model: string;
  /** `null`: the API needs none. */
  readonly key: string | null;
  readonly fetch: typeof globalThis.fetch;
  /** Longest time for the whole answer; default: one minute. */
  readonly timeoutMs?: number;
}

/** Much more than an answer of some sentences. */
const maxCharacters = 100_000;
/** Largest stream, in bytes: much more than a model reasons in a minute. A piece of a few letters takes about 250. */
const maxStreamBytes = 10_000_000;

/** Creates a client of the chat API of OpenAI, which many other servers and providers have, too. */
export function createAskModel({ url, model, key, fetch, timeoutMs = 60_000 }: ModelSettings): AskModel {
  return async (instructions, message, signal) => {
    const messages = [
      { role: 'system', content: instructions },
      { role: 'user', content: message },
    ];
    const request = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, stream: true, messages }),
      // The key and the text of the help centre are for this host alone.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    } as const;
    const answer = await fetch(`${url}/chat/completions`, request).catch((cause: unknown) => {
      throw unreachable('it cannot be reached', cause);
    });
    if (!answer.ok || answer.body === null) {
      await answer.body?.cancel();
      throw unreachable(`it answered ${answer.status}`, undefined);
    }
    return readText(answer.body);
  };
}

async function* readText(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let length = 0;
  let isLast = false;
  try {
    for await (const line of readLines(body)) {
      if (!line.startsWith('data:')) continue;
      const data = line.slice('data:'.length).trim();
      if (data === '[DONE]') return;
      // A sign of life.
      if (data === '') continue;
      const event = parseEvent(data);
      const { delta, finish_reason } = event?.choices?.[0] ?? {};
      // Some servers end with this.
      isLast ||= typeof finish_reason === 'string';
      // What a model says before it answers is not its text, and may be long.
      const text = typeof delta?.content === 'string' ? delta.content : '';
      length += text.length;
      if (length > maxCharacters) return;
      yield text;
    }
  } catch (cause) {
    throw cause instanceof LecternError ? cause : unreachable('its answer was cut short', cause);
  }
  if (!isLast) throw unreachable('its answer has no end', undefined);
}

/** The lines of a stream, up to its largest size or one that is too long. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let buffer = '';
  let read = 0;
  for await (const bytes of body) {
    read += bytes.length;
    if (read > maxStreamBytes) return;
    buffer += decoder.decode(bytes, { stream: true });
    const lines = buffer.split('\n');
    buffer = lines.pop() ?? '';
    yield* lines;
    if (buffer.length > maxCharacters) return;
  }
  yield buffer;
}

interface ModelEvent {
  readonly error?: unknown;
  readonly choices?: readonly {
    readonly delta?: { readonly content?: unknown };
    readonly finish_reason?: unknown;
  }[];
}

/** An object of the stream. @throws MODEL_UNREACHABLE for an error of the model */
function parseEvent(data: string): ModelEvent | null {
  let event: ModelEvent | null;
  try {
    event = JSON.parse(data);
  } catch (cause) {
    throw unreachable('its answer is not JSON', cause);
  }
  if (event?.error !== undefined && event.error !== null)
    throw unreachable('it reported an error', undefined);
  return event;
}

function unreachable(why: string, cause: unknown): LecternError {
  return new LecternError('MODEL_UNREACHABLE', `the model that answers questions failed: ${why}`, {
    hint: 'check --answers-model, --answers-model-name and LECTERN_ANSWERS_KEY of lectern mcp',
    cause,
  });
}
