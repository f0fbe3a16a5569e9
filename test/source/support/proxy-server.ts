import { createServer as createHttpServer, type IncomingMessage, request, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { atEnd } from '../../support/at-end.ts';
import type { TestCertificate } from '../../support/certificate.ts';
import { listen } from '../../support/serve.ts';

export interface ProxyServer {
  /** `localhost:12345`. */
  readonly host: string;
  /** Requests: `CONNECT kb.example.com:443`, `GET http://files.example.com/a.png`. */
  readonly log: readonly string[];
}

export interface ProxyOptions {
  /** Maps every host to this local port, as if the proxy had its own DNS. */
  readonly port: number;
  /** `user:password` that it requires. */
  readonly login?: string;
  /** Refuses every tunnel with this status. */
  readonly refuse?: number;
  /** Makes the proxy use TLS. */
  readonly certificate?: TestCertificate;
}

/** An HTTP proxy for one test, with tunnels and plain http. */
export async function startProxy(options: ProxyOptions): Promise<ProxyServer> {
  const { port, certificate } = options;
  const log: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = certificate === undefined ? createHttpServer() : createHttpsServer(certificate);
  const statusFor = ({ headers }: IncomingMessage): number => {
    const wanted = options.login && `Basic ${Buffer.from(options.login).toString('base64')}`;
    if (wanted !== undefined && headers['proxy-authorization'] !== wanted) return 407;
    return options.refuse ?? 200;
  };
  server.on('connection', (socket: Socket) => keep(socket));
  server.on('connect', (asked, socket: Socket) => {
    log.push(`CONNECT ${asked.url}`);
    const status = statusFor(asked);
    socket.on('error', () => {});
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
    const origin = keep(connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n')));
    origin.pipe(socket).pipe(origin);
  });
  server.on('request', (asked, response) => {
    log.push(`${asked.method} ${asked.url}`);
    const { pathname } = new URL(asked.url ?? '');
    request({ port, host: '127.0.0.1', path: pathname, headers: asked.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    }).end();
  });
  const ownPort = await listen(server);
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { host: `localhost:${ownPort}`, log };

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  }
}
