import { describe, expect, test } from 'vitest';
import { mapNetworkError } from '../../src/core/net/network-fault.ts';

function withCode(code: string, cause?: unknown): Error {
  return Object.assign(new Error('x', { cause }), { code });
}

describe('an error of the network', () => {
  test.each([
    ['ENOTFOUND', 'CONNECTION_FAILED', 'never'],
    ['EAI_AGAIN', 'CONNECTION_FAILED', 'always'],
    ['ECONNREFUSED', 'CONNECTION_FAILED', 'always'],
    ['UND_ERR_CONNECT_TIMEOUT', 'TIMEOUT', 'always'],
    ['ECONNRESET', 'CONNECTION_FAILED', 'reads'],
    ['HPE_INVALID_CHUNK_SIZE', 'BAD_RESPONSE', 'reads'],
    ['ERR__ERROR_FORMAT_PADDING_1', 'BAD_RESPONSE', 'reads'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS_FAILED', 'never'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'TLS_FAILED', 'never'],
    ['CERT_SIGNATURE_FAILURE', 'TLS_FAILED', 'never'],
    ['ENOBUFS', 'CONNECTION_FAILED', 'reads'],
  ])('%s is called %s and repeated: %s', (code, name, retry) => {
    const fault = mapNetworkError(withCode(code), 'GET https://kb.example/v1/article');
    expect(fault).toMatchObject({ code: name, retry });
    expect(fault?.message).toMatch(/^GET https:\/\/kb\.example\/v1\/article: .+ \([A-Z0-9_]+\)$/);
  });

  test('is found behind others: in a cause, or as one of several addresses tried', () => {
    const refused = withCode('ECONNREFUSED');
    expect(mapNetworkError(new Error('x', { cause: refused }), 'GET /')?.code).toBe('CONNECTION_FAILED');
    expect(mapNetworkError(new AggregateError([refused, withCode('EHOSTUNREACH')]), 'GET /')?.code).toBe(
      'CONNECTION_FAILED',
    );
  });

  test('is distinguished from a bug, which does not change', () => {
    expect(mapNetworkError(new TypeError('x is not a function'), 'GET /')).toBeNull();
    expect(mapNetworkError(withCode('ERR_INVALID_ARG_TYPE'), 'GET /')).toBeNull();
  });
});
