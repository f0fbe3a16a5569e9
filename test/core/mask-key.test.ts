import { describe, expect, it } from 'vitest';
import { maskKey } from '../../src/core/errors.ts';
import { problem } from '../../src/core/problems.ts';
import { reportProblems } from '../../src/core/report.ts';
import { fc } from '../support/properties.ts';

const key = 'lk_8Yq/+w=Zr4~T';

describe('the API key in a text of a server or an author', () => {
  it.each([
    ['as it is', key],
    ['percent-encoded', encodeURIComponent(key)],
    [
      'percent-encoded in lower case',
      encodeURIComponent(key).replaceAll('%2F', '%2f').replaceAll('%2B', '%2b'),
    ],
    ['in base64', Buffer.from(key).toString('base64')],
    ['in base64 without padding', Buffer.from(key).toString('base64url')],
  ])('is masked %s', (_how, form) => {
    expect(maskKey(`before ${form} behind`, key)).toBe('before [key] behind');
  });

  it('is masked inside longer base64, wherever it begins', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (before, behind) => {
        const text = Buffer.from(`${before}${key}${behind}`).toString('base64');
        expect(maskKey(text, key)).toContain('[key]');
      }),
    );
  });

  it('is masked in the message of a problem', () => {
    const [reported] = reportProblems([problem('ID_INVALID', `"${key}" is no article id`)], key);
    expect(reported?.message).toBe('"[key]" is no article id');
  });

  it('is not searched for if there is none, or if it may be any word', () => {
    expect(maskKey('the key is wrong', null)).toBe('the key is wrong');
    expect(maskKey('the key is wrong', 'key')).toBe('the key is wrong');
  });
});
