import { describe, expect, it } from 'vitest';
import { mayHaveSecret, secretKinds } from '../../src/feed/guard/secrets.ts';
import { fc } from '../support/properties.ts';

describe('mayHaveSecret', () => {
  it.each(secretKinds)('is true wherever a %s is', { tags: 'property' }, (_, pattern) => {
    fc.assert(
      fc.property(
        fc.stringMatching(new RegExp(`^(?:${pattern.source.replaceAll('\\b', '')})$`)),
        fc.constantFrom('', 'a ', 'a', '_', 'é', '"', '\n'),
        (secret, before) => {
          const isSecret = `${before}${secret} `.search(pattern) >= 0;
          if (before === '') expect(isSecret).toBe(true);
          if (isSecret) expect(mayHaveSecret(`${before}${secret} `)).toBe(true);
        },
      ),
    );
  });
});
