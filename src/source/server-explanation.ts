import { maskKey } from '../foundation/mask-key.ts';

const longestText = 200;

/** Enough of a body to find its message. */
const longestBodyBytes = 16_384;

/**
 * What an error body says, as one short line: the `message` or `error` of a JSON object. Anything else (a page of HTML,
 * a body that cannot be read) gives `''`. The key is blotted out, since servers repeat it.
 */
export async function readExplanation(
  body: AsyncIterable<Uint8Array>,
  apiKey: string | null,
): Promise<string> {
  const text = findMessage(await readStart(body));
  if (text === null) return '';
  const line = maskKey(text, apiKey)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > longestText ? `${line.slice(0, longestText)}…` : line;
}

/** That an error body cannot be read is no worse than the error itself. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= longestBodyBytes) break;
    }
  } catch {
    return '';
  }
  return Buffer.concat(chunks).toString('utf8');
}

function findMessage(body: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return null;
  }
  for (let depth = 0; depth < 3; depth += 1) {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null) return null;
    const { message, error } = value as { readonly message?: unknown; readonly error?: unknown };
    value = message ?? error;
  }
  return null;
}
