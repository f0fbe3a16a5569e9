import { expect, it } from 'vitest';
import { image, publish } from './publish-bodies.ts';

it('images inside of a text may be more than a process may have files open', async () => {
  const body = Array.from({ length: 25_000 }, (_, at) =>
    image(`data:image/png;base64,${btoa(String(at).padStart(9, '0'))}`),
  ).join('');
  const { documents } = await publish([body]);
  expect(documents[0]?.problems.map(({ code }) => code)).toContain('IMAGE_REFUSED');
});
