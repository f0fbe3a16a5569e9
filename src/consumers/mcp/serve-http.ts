import { hash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isLoopback, parseUrl } from '../../core/addresses.ts';
import { LecternError } from '../../core/errors.ts';
import { listen } from '../../core/net/listen.ts';
import { readFirst } from '../../core/net/response-body.ts';
import { parseJsonOrNull } from '../../core/unknown-record.ts';
import { acceptNullArguments } from './serve-stdio.ts';

/** Path for assistants. */
const mcpPath = '/mcp';
/** Path for questions of readers. */
const answersPath = '/answers';
/** Largest request, in bytes: a search or a question has at most a thousand characters. */
const maxBytes = 64 * 1024;
/** Shorter tokens can be guessed. */
const minTokenChars = 24;
/** Longest time to receive a request. */
const requestMs = 20_000;
/** Longest time without data on a connection, in either direction: longer than any answer takes to start. */
const socketMs = 120_000;

/** Answers a request for a path, whatever its method and origin. */
export type HttpRoute = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface HttpOptions {
  /** Address to listen on, e.g. `127.0.0.1` or `0.0.0.0`. */
  readonly host: string;
  /** `0` picks a free one. */
  readonly port: number;
  /** Tokens, one of which every assistant must send as `Authorization: Bearer`; empty: only on loopback, and without. */
  readonly tokens: readonly string[];
  /** Names by which clients address the server besides its IP addresses, e.g. that of a proxy: `mcp.example.com`. */
  readonly hostNames: readonly string[];
  /** Number of proxies in front of the server, through which other machines reach it. */
  readonly trustProxy: number;
}

interface HttpMcpServer {
  /** e.g. `http://127.0.0.1:3000/mcp` */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Tokens of a file or an environment variable: separated by white space, lines that start with `#` are comments.
 * @throws KEY_UNUSABLE (exit 2) if there is none, or one is short or no bearer token
 */
export function parseTokens(text: string): readonly string[] {
  const tokens = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(/\s+/))
    .filter((token) => token !== '');
  const wrong = tokens.find((token) => token.length < minTokenChars || !/^[\w.~+/-]+=*$/.test(token));
  if (tokens.length > 0 && wrong === undefined) return tokens;
  // The token itself is a secret.
  const message =
    wrong === undefined
      ? 'there is no token'
      : `a token of ${wrong.length} characters is too short, or has characters that a header cannot have`;
  throw new LecternError('KEY_UNUSABLE', message, {
    hint: `make one of at least ${minTokenChars} characters, e.g. with: openssl rand -hex 32`,
  });
}

/**
 * Serves any number of assistants over streamable HTTP at `/mcp`, without sessions: every request has its own server. Requests of web pages,
 * for other host names, without a token, or that are too large are rejected before anything else is done.
 * @param answers serves `/answers`, which needs no token; `null`: there is no such path
 * @throws KEY_UNUSABLE (exit 2) beyond loopback without a token; PORT_UNUSABLE (exit 2)
 */
export async function serveOverHttp(
  createOne: () => McpServer,
  answers: HttpRoute | null,
  options: HttpOptions,
): Promise<HttpMcpServer> {
  const { host, port, tokens, hostNames, trustProxy } = options;
  if (tokens.length === 0 && (!isLoopback(host) || trustProxy > 0)) {
    const who = isLoopback(host) ? 'a server behind a proxy' : host;
    const message = `${who} can be reached from other machines, and there is no token`;
    throw new LecternError('KEY_UNUSABLE', message, {
      hint: 'pass a file of tokens with --tokens, or set LECTERN_MCP_TOKENS; or listen on 127.0.0.1, without a proxy',
    });
  }
  const isKnown = tokenTest(tokens);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refuse = (status: number, message: string, headers: Record<string, string> = {}) => {
      const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null });
      const described = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      // What was not read of the body is not waited for.
      response.writeHead(status, { connection: 'close', ...described, ...headers }).end(body);
    };
    if (!isAllowedHost(request.headers.host, hostNames))
      return refuse(403, 'this host name is not allowed: start the server with it in --host-names');
    // Some clients end every path with a slash.
    const path = (request.url ?? '').replace(/\/?(?:\?.*)?$/s, '');
    if (path === answersPath && answers !== null) return answers(request, response);
    if (!isAllowedOrigin(request.headers, hostNames))
      return refuse(403, 'web pages of other sites may not ask');
    if (path !== mcpPath) return refuse(404, `the path of the server is ${mcpPath}`);
    if (!isKnown(request.headers.authorization))
      return refuse(401, 'send a token of the server as Authorization: Bearer TOKEN', {
        'www-authenticate': 'Bearer',
      });
    if (request.method !== 'POST')
      return refuse(405, 'there is no stream to open and no session to end', { allow: 'POST' });
    const body = await readMessage(request);
    if (body === 'too-large') return refuse(413, `a request has at most ${maxBytes} bytes`);
    const message = parseJsonOrNull(body);
    if (message === null) return refuse(400, 'the request is not JSON');
    const server = createOne();
    // The transport refuses clients that do not accept both of its forms, although it sends one of them.
    const enableJsonResponse = !/^text\/event-stream$/i.test(request.headers.accept?.trim() ?? '');
    request.headers.accept = 'application/json, text/event-stream';
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse });
    transport.onmessage = acceptNullArguments;
    response.once('close', () => void server.close());
    // Its optional properties are declared differently than exactOptionalPropertyTypes requires.
    await server.connect(transport as Transport);
    await transport.handleRequest(request, response, message);
  };
  const timeouts = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: requestMs / 4,
  };
  const http = createServer(timeouts, (request, response) => {
    answer(request, response).catch(() => {
      // The client left, or sent something that the protocol does not know.
      if (!response.headersSent) response.writeHead(400);
      response.end();
    });
  });
  http.setTimeout(socketMs);
  await listen(http, 'the server for assistants', host, port);
  const { port: used, family, address } = http.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${used}${mcpPath}`,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

/** A test of the header `Authorization`, in a time that says nothing about the tokens. */
function tokenTest(tokens: readonly string[]): (header: string | undefined) => boolean {
  if (tokens.length === 0) return () => true;
  const hashes = tokens.map(digest);
  return (header) => {
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? [];
    const sent = digest(token);
    // All are compared, whichever it is.
    return hashes.filter((known) => timingSafeEqual(known, sent)).length > 0;
  };
}

function digest(token: string): Uint8Array {
  return hash('sha256', token, 'buffer');
}

/** A name that leads to this machine by a DNS record of somebody else is not allowed; an IP address cannot be such a name. */
function isAllowedHost(header: string | undefined, names: readonly string[]): boolean {
  const name = parseUrl(`http://${header}`)?.hostname ?? '';
  return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || names.includes(name);
}

/** Only web pages of this server, or of a named host, may call it. Programs send no origin. */
export function isAllowedOrigin(
  { origin, host }: { readonly origin?: string | undefined; readonly host?: string | undefined },
  names: readonly string[],
): boolean {
  if (origin === undefined) return true;
  const url = parseUrl(origin);
  return url !== null && (url.host === host || names.includes(url.hostname));
}

/** The text of a request. */
export async function readMessage(request: IncomingMessage): Promise<string | 'too-large'> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return 'too-large';
  const bytes = await readFirst(request, maxBytes + 1);
  return bytes.length > maxBytes ? 'too-large' : bytes.toString('utf8');
}
