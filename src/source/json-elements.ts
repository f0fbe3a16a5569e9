import { createElementSplitter } from './element-splitter.ts';
import type { HttpResponse } from './http.ts';
import { JsonFault } from './json-fault.ts';
import { NetworkFault } from './network-fault.ts';

/**
 * The elements of the array an answer holds, `{"<key>": […]}` or the array alone, a batch for every piece that arrives;
 * memory is bounded by the largest element.
 * @throws NOT_JSON, JSON_CUT, JSON_INVALID with address and byte offset, and what reading the body throws
 */
export async function* readElements(
  response: HttpResponse,
  key: string,
): AsyncGenerator<readonly unknown[], void, undefined> {
  const splitter = createElementSplitter(key);
  try {
    for await (const chunk of response.body) {
      const elements = splitter.push(chunk);
      if (elements.length > 0) yield elements;
    }
    splitter.end();
  } catch (error) {
    throw error instanceof JsonFault ? jsonFault(error, response) : error;
  }
}

/** Where an answer is no JSON of the expected shape: what the user sees. */
export function jsonFault(fault: JsonFault, { url, status, headers }: HttpResponse): NetworkFault {
  const what = fault.isCut ? 'truncated JSON' : `unexpected JSON: ${fault.message}`;
  const message = `${url} answered ${status} with ${what} (at byte ${fault.offset})`;
  if (fault.isCut) {
    return new NetworkFault('JSON_CUT', message, {
      hint: 'the answer was cut off; repeat the run, and look for a proxy that limits the size of answers',
      retry: 'reads',
      cause: fault,
    });
  }
  const isPage = fault.message === 'it is a web page' || headers['content-type']?.startsWith('text/html');
  return new NetworkFault(isPage ? 'NOT_JSON' : 'JSON_INVALID', message, {
    hint: isPage
      ? 'check that the base URL is that of the API and not of the help centre or a sign-in page'
      : 'ask the service operator; the answer does not follow the interface',
    retry: 'never',
    cause: fault,
  });
}
