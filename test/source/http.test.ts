import { describe, expect, onTestFinished, test } from 'vitest';
import { readJson } from '../../src/core/net/read-json.ts';
import { errorOf, serveTo } from './support/open-http.ts';
import { type Handler, sendJson } from './support/test-server.ts';

/** Answers every request with the next of some handlers, the last one for ever. */
function inTurn(...handlers: Handler[]): Handler {
  let index = 0;
  return (request, response) => {
    const handle = handlers[Math.min(index, handlers.length - 1)] as Handler;
    index += 1;
    handle(request, response);
  };
}

function status(code: number, headers: Readonly<Record<string, string>> = {}, body = '{}'): Handler {
  return (_request, response) => response.writeHead(code, headers).end(body);
}

const fine: Handler = (_request, response) => sendJson(response, { fine: true });
const reset: Handler = (request) => request.socket.destroy();

describe('a request', () => {
  test('carries the key as a Bearer token and asks for compressed JSON', async () => {
    const { get, server } = await serveTo((request, response) => sendJson(response, request.headers));
    expect(await get('/article/x')).toMatchObject({
      accept: 'application/json',
      'accept-encoding': 'gzip, br',
      authorization: 'Bearer secret-key-1',
    });
    expect(server.requests).toEqual(['GET /v1/article/x']);
  });

  test('encodes its query and skips undefined values', async () => {
    const { http, server } = await serveTo(fine);
    await http.request(
      { method: 'GET', path: '/search', query: { query: 'a&b=ü', limit: 3, include_draft: undefined } },
      async () => {},
    );
    expect(server.requests).toEqual(['GET /v1/search?query=a%26b%3D%C3%BC&limit=3']);
  });

  test('sends a body as JSON', async () => {
    const { http } = await serveTo((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += String(chunk);
      });
      request.on('end', () => sendJson(response, { text, type: request.headers['content-type'] }));
    });
    const echoed = await http.request({ method: 'POST', path: '/article', body: { title: 'é' } }, readJson);
    expect(echoed).toEqual({ text: '{"title":"é"}', type: 'application/json' });
  });
});

test('thirty requests at a time print no warning of Node', async () => {
  const { get } = await serveTo((_request, response) => void setTimeout(() => sendJson(response, {}), 20));
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  await Promise.all(Array.from({ length: 30 }, () => get()));
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
});

describe('a failing server', () => {
  test.each([429, 500, 502, 503, 504])('that answers %d and then is fine gives its answer', async (code) => {
    const { get, server } = await serveTo(inTurn(status(code), status(code), fine));
    expect(await get()).toEqual({ fine: true });
    expect(server.requests).toHaveLength(3);
  });

  test('is given up after five attempts, with growing waits', async () => {
    const { get, waits } = await serveTo(status(500));
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "SERVER_ERROR",
        "hint": "the server has a problem; try again later",
        "message": "GET https://localhost:PORT/v1/article answered 500 (5 attempts)",
      }
    `);
    expect(waits).toEqual([250, 500, 1000, 2000]);
  });

  test('is waited for as long as it asks, in seconds or until a date', async () => {
    const { get, waits } = await serveTo(
      inTurn(
        status(429, { 'retry-after': '7' }),
        status(503, { 'retry-after': 'Sun, 01 Mar 2026 12:00:20 GMT' }),
        fine,
      ),
    );
    expect(await get()).toEqual({ fine: true });
    expect(waits).toEqual([7000, 13_000]);
  });

  test('is waited for until the window of a rate limit ends, by the clock of the server', async () => {
    const { get, waits } = await serveTo(
      inTurn(
        status(429, { 'x-ratelimit-reset': '12' }),
        status(429, {
          date: 'Sun, 01 Mar 2026 15:00:00 GMT',
          'ratelimit-reset': String(Date.parse('2026-03-01T15:00:09Z') / 1000),
        }),
        status(429, { 'retry-after': '3', 'x-rate-limit-reset': '50' }),
        status(503, { 'x-ratelimit-reset': '50' }),
        fine,
      ),
    );
    expect(await get()).toEqual({ fine: true });
    expect(waits.slice(0, 3)).toEqual([12_000, 9000, 3000]);
    expect(waits[3]).toBeLessThan(10_000);
  });

  test('is not asked again at once because Retry-After is zero or has passed by the clock of this machine', async () => {
    const { get, waits } = await serveTo(
      inTurn(
        status(429, { 'retry-after': '0' }),
        status(429, { 'retry-after': '0', 'x-ratelimit-reset': '30' }),
        status(503, {
          date: 'Sun, 01 Mar 2026 11:00:00 GMT',
          'retry-after': 'Sun, 01 Mar 2026 11:00:08 GMT',
        }),
        status(429, { 'retry-after': '7.5' }),
        fine,
      ),
    );
    expect(await get()).toEqual({ fine: true });
    expect(waits).toEqual([250, 30_000, 8000, 7500]);
  });

  test('is not waited for longer than the limit', async () => {
    const { get, waits } = await serveTo(inTurn(status(429, { 'retry-after': '86400' }), fine));
    await get();
    expect(waits).toEqual([120_000]);
  });

  test('that storms with 429 is given up with the reason', async () => {
    const { get } = await serveTo(status(429, { 'retry-after': '1' }, '{"error":"slow down"}'));
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "RATE_LIMITED",
        "hint": "run less often, or ask the operator of the server for a higher limit",
        "message": "GET https://localhost:PORT/v1/article answered 429: "slow down" (5 attempts)",
      }
    `);
  });

  test('keeps every request waiting when it tells one to wait', async () => {
    let clock = 0;
    const sleepers: (() => void)[] = [];
    const sleep = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        sleepers.push(() => {
          clock += ms;
          resolve();
        });
        // The other request is made while the first one waits.
        if (sleepers.length === 1) others.push(get('/second'));
        else for (const wake of sleepers) wake();
      });
    const others: Promise<unknown>[] = [];
    const { get, server } = await serveTo(inTurn(status(429, { 'retry-after': '9' }), fine), {
      ports: { now: () => clock, sleep, random: () => 0 },
    });
    await get('/first');
    await Promise.all(others);
    expect(sleepers).toHaveLength(2);
    expect(server.requests.slice(1).sort()).toEqual(['GET /v1/first', 'GET /v1/second']);
  });

  test('that breaks the connection before or within its answer is asked again', async () => {
    const half: Handler = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"half":', () => response.socket?.destroy());
    };
    const { get, server } = await serveTo(inTurn(reset, half, fine));
    expect(await get()).toEqual({ fine: true });
    expect(server.requests).toHaveLength(3);
  });

  test('that always breaks the connection within its answer is given up', async () => {
    const { get } = await serveTo((_request, response) => {
      response.writeHead(200);
      response.write('{"half":', () => response.socket?.destroy());
    });
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "CONNECTION_FAILED",
        "hint": "check the network and the base URL, then run again",
        "message": "GET https://localhost:PORT/v1/article: the connection was lost before the response was complete (UND_ERR_SOCKET) (5 attempts)",
      }
    `);
  });

  test('is never asked twice to create a record it may have created', async () => {
    const { http, server } = await serveTo(inTurn(reset, fine));
    const creation = http.request({ method: 'POST', path: '/article', body: {} }, async () => {});
    expect((await errorOf(creation)).code).toBe('CONNECTION_FAILED');
    expect(server.requests).toHaveLength(1);
  });
});

describe('a server that hangs', () => {
  test('before it answers is given up', async () => {
    const { get } = await serveTo(() => {}, { headersTimeoutMs: 50, maxAttempts: 1 });
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "TIMEOUT",
        "hint": "run again later; ask the service operator why the server is so slow",
        "message": "GET https://localhost:PORT/v1/article: the server did not start to respond in time (UND_ERR_HEADERS_TIMEOUT)",
      }
    `);
  });

  test('in the middle of its answer is given up', async () => {
    const { get } = await serveTo((_request, response) => response.writeHead(200).write('{"a":'), {
      bodyTimeoutMs: 50,
    });
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "TIMEOUT",
        "hint": "run again later; ask the service operator why the server is so slow",
        "message": "GET https://localhost:PORT/v1/article: the server stopped in the middle of its response (UND_ERR_BODY_TIMEOUT) (2 attempts)",
      }
    `);
  });

  test('or drips is given up, although every byte comes in time', async () => {
    const drip: Handler = (_request, response) => {
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    };
    const { get } = await serveTo(drip, {
      bodyTimeoutMs: 100,
      maxAttempts: 1,
      ports: { now: Date.now, sleep: async () => {}, random: () => 0 },
    });
    const { code, message } = await errorOf(get());
    expect(code).toBe('TIMEOUT');
    expect(message).toMatch(/received only \d+ bytes in/);
  });
});

describe('a client that is closed', () => {
  test('gives up what it waits for, as if the connection was lost', async () => {
    const { get, http, server } = await serveTo(() => {});
    const failed = errorOf(get());
    await expect.poll(() => server.requests.length).toBe(1);
    await http.close();
    expect((await failed).code).toBe('CONNECTION_FAILED');
  });
});

describe('an error response', () => {
  test.each([
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [400, 'REQUEST_REFUSED'],
    [418, 'REQUEST_REFUSED'],
  ])('%d is not repeated and is called %s', async (code, name) => {
    const { get, server } = await serveTo(status(code, {}, '<html>x</html>'));
    expect((await errorOf(get())).code).toBe(name);
    expect(server.requests).toHaveLength(1);
  });

  test('quotes the message of the server, without the key and on one line', async () => {
    const body = JSON.stringify({ error: { message: 'the key\n secret-key-1\u0007 is wrong' } });
    const { get } = await serveTo(status(401, {}, body));
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "UNAUTHORIZED",
        "hint": "set the environment variable LECTERN_API_KEY to a key this service accepts",
        "message": "GET https://localhost:PORT/v1/article answered 401: "the key [key] is wrong"",
      }
    `);
  });

  test.each([
    [{ error: 'LimitError', description: 'Only 100 pages' }, 'Only 100 pages'],
    [{ error: 'LimitError' }, 'LimitError'],
    [{ type: 'about:blank', title: 'Bad Request', status: 400, detail: 'No such tag' }, 'No such tag'],
    [{ type: 'error.list', errors: [{ code: 'x', message: 'No such tag' }] }, 'No such tag'],
    [{ description: 'Invalid', errors: [{ field: 'tag' }] }, 'Invalid'],
    [{ errors: ['No such tag', 'b'] }, 'No such tag'],
    [{ error: 'LimitError', detail: [{ field: 'tag' }] }, 'LimitError'],
    [{ reason: 'Too many', errors: [] }, 'Too many'],
    [{ errors: [] }, undefined],
    [{ errors: [], description: 'Of a draft' }, undefined],
    [{ title: 'A draft', description: 'Of a draft' }, undefined],
    [[{ message: 'x' }], undefined],
  ])('%j says %j', async (body, said) => {
    const { get } = await serveTo(status(400, {}, JSON.stringify(body)));
    const quoted = said === undefined ? '' : `: "${said}"`;
    expect((await errorOf(get())).message).toBe(
      `GET https://localhost:PORT/v1/article answered 400${quoted}`,
    );
  });

  test('is returned if the caller accepts it', async () => {
    const { http } = await serveTo(status(404));
    const request = { method: 'GET', path: '/article/x', accept: [404] } as const;
    expect(await http.request(request, async (response) => response.status)).toBe(404);
  });
});

describe('a redirect', () => {
  const to = (location: string, code = 302): Handler => status(code, { location }, '');

  test('within the server is followed with the key', async () => {
    const { get, server } = await serveTo(inTurn(to('/elsewhere?x=1', 301), fine));
    expect(await get()).toEqual({ fine: true });
    expect(server.requests).toEqual(['GET /v1/article', 'GET /elsewhere?x=1']);
    expect(server.keys).toEqual(['Bearer secret-key-1', 'Bearer secret-key-1']);
  });

  test('to another server is not followed, so that the key stays here', async () => {
    const other = await serveTo(fine);
    const { get } = await serveTo(to(`${other.server.origin}/v1/article`));
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "REDIRECT_REFUSED",
        "hint": "set the base URL to the final URL of the API; redirects are followed only within one https origin",
        "message": "https://localhost:PORT/v1/article answered 302 and leads to another server, https://localhost:PORT",
      }
    `);
    expect(other.server.requests).toEqual([]);
  });

  test('to plain http is not followed', async () => {
    const { get, server } = await serveTo((_request, response) => {
      response.writeHead(301, { location: server.origin.replace('https:', 'http:') }).end();
    });
    expect((await errorOf(get())).code).toBe('REDIRECT_REFUSED');
  });

  test('in a circle ends', async () => {
    const { get, server } = await serveTo((request, response) => {
      response.writeHead(302, { location: request.url === '/v1/article' ? '/v1/b' : '/v1/article' }).end();
    });
    expect((await errorOf(get())).message).toContain('forms a loop');
    expect(server.requests).toEqual(['GET /v1/article', 'GET /v1/b']);
  });

  test('without end ends', async () => {
    let count = 0;
    const { get, server } = await serveTo((_request, response) => {
      count += 1;
      response.writeHead(302, { location: `/v1/${count}` }).end();
    });
    expect((await errorOf(get())).message).toContain('more than 5 redirects');
    expect(server.requests).toHaveLength(6);
  });
});

describe('an answer that is not JSON', () => {
  test('but a web page is recognised, whatever it calls itself', async () => {
    const { get } = await serveTo(
      status(200, { 'content-type': 'application/json' }, '\n<!doctype html><p>Sign in'),
    );
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "BAD_RESPONSE",
        "hint": "check that the base URL is the API, not the help centre or a sign-in page",
        "message": "https://localhost:PORT/v1/article answered 200 with unexpected JSON: it is a web page (26 bytes were read)",
      }
    `);
  });

  test('is read all the same when only its content type is wrong', async () => {
    const { get } = await serveTo(status(200, { 'content-type': 'text/plain' }, '{"a":1}'));
    expect(await get()).toEqual({ a: 1 });
  });

  test('because it is cut off is asked for again', async () => {
    const { get } = await serveTo(inTurn(status(200, {}, '{"a":[1,'), fine));
    expect(await get()).toEqual({ fine: true });
  });
});

describe('a key', () => {
  test.each([
    ['', 'KEY_UNUSABLE'],
    ['  ', 'KEY_UNUSABLE'],
    ['a\nb', 'KEY_UNUSABLE'],
    ['"quoted-key"', 'KEY_UNUSABLE'],
    ["'quoted-key'", 'KEY_UNUSABLE'],
    ['schlüssel', 'KEY_UNUSABLE'],
  ])('%j is refused before any request', async (apiKey, code) => {
    await expect(serveTo(fine, { apiKey })).rejects.toMatchObject({ code, exitCode: 2 });
  });
});
