import { jsonType, type RouteContext, validateBody } from '../http/add-operation.ts';
import type { Router } from '../http/router.ts';
import { previewBody, previewRequest } from './preview-body.ts';

const headers = { 'content-type': jsonType, 'cache-control': 'no-store' };

/** Path of the preview, which a key that may only read can also use. */
export const previewPath = '/v1/editor/preview';

/** What the page of the editor needs besides the API; not part of the API. */
export function addEditorRoutes(router: Router, { siteUrl, defaultLanguage }: RouteContext): void {
  router.add('GET', '/editor/session', async ({ access }) => ({
    status: 200,
    headers,
    body: JSON.stringify({ access, defaultLanguage, siteUrl }),
  }));
  router.add('POST', '/editor/preview', async ({ body }) => ({
    status: 200,
    headers,
    body: JSON.stringify(previewBody(validateBody(previewRequest, body), siteUrl)),
  }));
}
