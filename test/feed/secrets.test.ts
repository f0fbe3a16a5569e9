import { describe, expect, it } from 'vitest';
import { secretBeginning, secretKinds } from '../../src/feed/guard/secrets.ts';
import { fc } from '../support/properties.ts';

describe('secretBeginning', () => {
  it.each(secretKinds)('is found wherever a %s is', { tags: 'property' }, (_, pattern) => {
    fc.assert(
      fc.property(
        fc.stringMatching(new RegExp(`^(?:${pattern.source.replaceAll('\\b', '')})$`)),
        fc.constantFrom('', 'a ', 'a', '_', 'é', '"', '\n'),
        (secret, before) => {
          const isSecret = `${before}${secret} `.search(pattern) >= 0;
          if (before === '') expect(isSecret).toBe(true);
          if (isSecret) expect(`${before}${secret} `).toMatch(secretBeginning);
        },
      ),
    );
  });
});
