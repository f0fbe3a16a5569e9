import type { IncomingMessage, ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { finish, startLectern } from '../../../support/lectern.ts';
import { serve } from '../../../support/serve.ts';

export type Model = (
  request: { messages: readonly { role: string; content: string }[]; model: string },
  response: ServerResponse,
  incoming: IncomingMessage,
) => void | Promise<void>;

/** An OpenAI-compatible server that does what a test says. */
export async function startModel(): Promise<{ readonly url: string; model: Model }> {
  const { origin } = await serve(async (incoming, response) => {
    let body = '';
    for await (const piece of incoming) body += piece;
    await started.model(JSON.parse(body), response, incoming);
  });
  const started = { url: `${origin}/v1`, model: saying('') };
  return started;
}

/** An event of a model that says something. */
export function writePiece(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

/** A model that says a text in pieces of some characters. */
export function saying(text: string): Model {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let at = 0; at < text.length; at += 7) response.write(writePiece(text.slice(at, at + 7)));
    response.end('data: [DONE]\n\n');
  };
}

export interface AnsweringServer {
  /** URL that answers questions; `undefined` without a model. */
  readonly answers: string | undefined;
  readonly mcp: string;
  /** @returns what it wrote to stderr */
  stop(): Promise<string>;
}

/** Runs `lectern mcp` over HTTP for the feed in a folder. */
export async function startMcp(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<AnsweringServer> {
  const child = startLectern(['mcp', '.', '--port', '0', ...args], { cwd: folder, env });
  const ended = finish(child);
  const expected = args.includes('--answers-model') ? 2 : 1;
  const urls: string[] = [];
  if (child.stdout === null) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    urls.push(line);
    if (urls.length === expected) break;
  }
  // Otherwise it would not be read to its end.
  child.stdout.resume();
  const [mcp, answers] = urls;
  if (mcp === undefined) throw new Error((await ended).stderr);
  return {
    mcp,
    answers,
    async stop() {
      child.kill();
      return (await ended).stderr;
    },
  };
}
