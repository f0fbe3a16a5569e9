import type { FastifyInstance } from 'fastify';
import { jsonType } from './add-operation.ts';
import { makeOpenApi } from './open-api.ts';

/** `GET /openapi.json`: the description of the service itself. */
export function addOpenApiRoute(app: FastifyInstance): void {
  let text: string | null = null;
  app.get('/openapi.json', (_request, reply) => {
    text ??= JSON.stringify(makeOpenApi());
    return reply.type(jsonType).send(text);
  });
}
