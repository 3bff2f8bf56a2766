import { describe, expect, test } from 'vitest';
import { connectionError, refusalIn, refused } from '../../../../operator/engines/etcd/etcd-errors.js';

const json = (code: number, message: string) => JSON.stringify({ error: message, message, code });

describe('a refusal of etcd', () => {
  test.each([
    // A member was not connected for 5 seconds, or not yet.
    [503, json(14, 'etcdserver: unhealthy cluster'), 'retryable', false],
    [412, json(9, 'etcdserver: re-configuration failed due to not enough started members'), 'retryable', false],
    [412, json(9, 'etcdserver: can only promote a learner member which is in sync with leader'), 'retryable', false],
    [412, json(9, 'etcdserver: too many learner members in cluster'), 'retryable', false],
    [503, json(14, 'etcdserver: rpc not supported for learner'), 'retryable', false],
    [412, json(9, 'etcdserver: not leader'), 'retryable', false],
    // It may be carried out after all.
    [503, json(14, 'etcdserver: request timed out'), 'retryable', true],
    [503, json(14, 'etcdserver: leader changed'), 'retryable', true],
    [500, json(2, 'context deadline exceeded'), 'retryable', true],
    [412, json(9, 'etcdserver: bad leader transferee'), 'terminal', false],
    [404, json(5, 'etcdserver: member not found'), 'terminal', false],
    [400, json(3, 'etcdserver: given member URLs are invalid'), 'terminal', false],
    [403, json(7, 'etcdserver: permission denied'), 'unauthorized', false],
    [401, json(16, 'etcdserver: invalid auth token'), 'unauthorized', false],
    [502, '<html>\nBad Gateway', 'retryable', true],
    [404, 'null', 'retryable', true],
  ])('%i %s is %s, and may have an effect: %s', (status, text, kind, mayHaveEffect) => {
    expect(refused(refusalIn(status, text))).toMatchObject({ kind, mayHaveEffect });
  });

  test('is one line in a message', () => {
    expect(refused(refusalIn(502, `a\n${'b'.repeat(5_000)}`)).message).toMatch(/^answered 502: a b{900,1000}$/);
  });
});

describe('an error of a connection', () => {
  const failed = (code: string, cause?: object) => Object.assign(new Error('text', { cause }), cause ? {} : { code });
  test.each([
    ['ECONNREFUSED', 'unreachable', false],
    ['UND_ERR_CONNECT_TIMEOUT', 'unreachable', false],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'unreachable', false],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unreachable', false],
    ['ECONNRESET', 'unreachable', true],
    ['UND_ERR_SOCKET', 'unreachable', true],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'unauthorized', false],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'unauthorized', false],
  ])('%s is %s, and a change may have an effect: %s', (code, kind, mayHaveEffect) => {
    expect(connectionError(failed(code), 'store-1:2379', true)).toMatchObject({ kind, mayHaveEffect });
    expect(connectionError(failed('', { code }), 'store-1:2379', true)).toMatchObject({ kind, mayHaveEffect });
    expect(connectionError(failed(code), 'store-1:2379', false)).toMatchObject({ kind, mayHaveEffect: false });
  });
});
