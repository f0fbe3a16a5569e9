import { once } from 'node:events';
import type { Server } from 'node:net';
import { LecternError } from '../errors.ts';

const badPort = 'choose another port with --port; 0 picks a free one';
const badHost = 'pass an address of this machine with --host, e.g. 127.0.0.1';

/** Why a server cannot listen on a port, and what to do. */
const listenFaults: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  EADDRINUSE: ['the port is in use', badPort],
  EACCES: ['the port needs administrator rights', badPort],
  ERR_SOCKET_BAD_PORT: ['the port must be from 0 to 65535', badPort],
  EADDRNOTAVAIL: ['this machine does not have the address', badHost],
  ENOTFOUND: ['no machine has this name', badHost],
};

/**
 * Lets a server listen.
 * @param name of the server in messages, e.g. `the service`
 * @param port `0` picks a free one
 * @throws PORT_UNUSABLE (exit 2)
 */
export async function listen(server: Server, name: string, host: string, port: number): Promise<void> {
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (cause) {
    const [why, hint] = listenFaults[(cause as NodeJS.ErrnoException).code ?? ''] ?? [
      (cause as Error).message,
      badPort,
    ];
    throw new LecternError('PORT_UNUSABLE', `${name} cannot listen on ${host}, port ${port}: ${why}`, {
      hint,
      cause,
    });
  }
}
