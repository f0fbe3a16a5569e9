import { jsonType } from './add-operation.ts';
import { makeOpenApi } from './open-api.ts';
import type { Router } from './router.ts';

/** `GET /openapi.json`: the description of the service itself. */
export function addOpenApiRoute(router: Router): void {
  let text: string | null = null;
  router.add('GET', '/openapi.json', () => {
    text ??= JSON.stringify(makeOpenApi());
    return { status: 200, headers: { 'content-type': jsonType }, body: text };
  });
}
