import { describe, expect, test } from 'vitest';
import { cacheFault } from '../../../src/source/snapshot/body-store.ts';

describe('an error while the cache is written', () => {
  test.each(['ENOSPC', 'EACCES', 'EROFS', 'EDQUOT'])('(%s) is reported with folder and code', (code) => {
    expect(cacheFault(Object.assign(new Error('x'), { code }), '/cache')).toMatchObject({
      code: 'CACHE_UNWRITABLE',
      message: `the snapshot cannot be written to /cache (${code})`,
    });
  });

  test('that is not a file system error is a bug', () => {
    const bug = new TypeError('x');
    expect(cacheFault(bug, '/cache')).toBe(bug);
  });
});
