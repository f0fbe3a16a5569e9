import { afterAll, expect } from 'vitest';
import { endFile } from './at-end.ts';

// By default, Vitest compares buffers as objects with a key per byte, which takes seconds even for a small site.
expect.addEqualityTesters([
  (one: unknown, other: unknown) =>
    Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined,
]);

afterAll(endFile);
