import { transform } from '../../src/content/transform.ts';
import type { NamedBody } from './corpora.ts';
import { payloads } from './payloads.ts';
import { findViolations } from './policy.ts';
import { settings } from './settings.ts';

/** Images become this pixel, so that a page that asks for anything else asks for something it should not. */
const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';

/** Nothing but text and one known picture may come of a body. */
export const strict = settings({
  resolveImage: () => ({ src: pixel, width: 1, height: 1 }),
  policy: { iframeHosts: [], classes: [], callouts: {} },
});
/** The hostile bodies of this repository. */
export const own: NamedBody[] = payloads.map((body, index) => ({ name: `own ${index}`, body }));

/** Everything in the published bodies that the policy does not allow. */
export function violations(bodies: readonly NamedBody[]): string[] {
  return bodies.flatMap(({ name, body }) =>
    findViolations(transform(body, strict).html).map((violation) => `${name}: ${violation}`),
  );
}
