import { expect } from 'vitest';

// The default compares two buffers byte by byte as objects with a key for each: seconds for a small site.
expect.addEqualityTesters([
  (one: unknown, other: unknown) =>
    Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined,
]);
