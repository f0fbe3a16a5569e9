import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readBody } from '../../../src/service/http/read-body.ts';

/** Number of turns of the event loop between the arrival of a body and its result. */
async function countTurns(length: number): Promise<number> {
  const json = JSON.stringify({ body: 'x'.repeat(length) });
  const headers = { 'content-type': 'application/json', 'content-length': String(json.length) };
  const request = Object.assign(Readable.from([Buffer.from(json)]), { headers });
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await readBody(request as unknown as IncomingMessage, 10_000_000);
  clearImmediate(next);
  return turns;
}

it('a long body lets other requests be answered while it is read', async () => {
  expect(await countTurns(2_000_000)).toBe((await countTurns(10)) + 2);
});
