import { describe, expect, it } from 'vitest';
import { findAddresses } from '../../src/media/find-addresses.ts';
import { arbitraryAddress } from '../content/arbitrary-address.ts';
import { fc, runs } from '../support/properties.ts';

const rules = {
  baseUrl: 'https://x.test/',
  hosts: new Set(['x.test', '[::1]:3000']),
  attachments: new Set(['pdf']),
};

describe('finding the files of a body', () => {
  it('takes files from IPv6 hosts that are allowed and ignores links to others', () => {
    const body =
      '<img src="http://[::1]:3000/a.png"><img src="http://[::2]/b.png"><a href="http://[::2]/">x</a>';
    expect([...findAddresses(body, rules).images]).toEqual(['http://[::1]:3000/a.png']);
  });

  it('throws for no address and finds only addresses that parse', { tags: 'property' }, () => {
    fc.assert(
      fc.property(arbitraryAddress, (address) => {
        const { images, files } = findAddresses(
          `<a href="${address}"></a><img src="${address}" srcset='${address}'><video poster=${address}>`,
          rules,
        );
        for (const found of [...images, ...files]) expect(URL.canParse(found)).toBe(true);
      }),
      { numRuns: runs(5000) },
    );
  });
});
