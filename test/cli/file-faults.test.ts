import { expect, it } from 'vitest';
import { describeError } from '../../src/cli/format-error.ts';

it.each([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'ELOOP',
  'ENOTDIR',
  'EISDIR',
  'EEXIST',
  'ENAMETOOLONG',
  'EMFILE',
])('an error of the file system is reported with its path: %s', (code) => {
  const error = Object.assign(new Error(code), { code, syscall: 'open', path: '/srv/help' });
  expect(describeError(error)).toMatchObject({
    code: 'PATH_UNUSABLE',
    message: expect.stringMatching(new RegExp(`^/srv/help cannot be used: .+ \\(${code}\\)$`)),
  });
});
