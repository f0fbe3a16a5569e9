// The part of undici that `src/core/net/open-dispatcher.ts` imports, for `scripts/bundle.mjs`. The package itself also loads fetch, WebSockets,
// caches and mocks, which takes as long as reading a thousand articles.
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';

Object.assign(Dispatcher.prototype, { connect, request });

export { Agent, EnvHttpProxyAgent, Pool };
