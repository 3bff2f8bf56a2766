import { describe, expect, it } from 'vitest';
import { callErrorOf, refused } from '../../../../operator/engines/kafka/connection/kafka-errors.js';

describe('a refusal of Kafka', () => {
  it.each([
    { expected: { kind: 'terminal', mayHaveEffect: false }, name: 'INVALID_PARTITIONS', canRetry: false },
    { expected: { kind: 'retryable', mayHaveEffect: true }, name: 'REQUEST_TIMED_OUT', canRetry: true },
    { expected: { kind: 'retryable', mayHaveEffect: false }, name: 'NOT_CONTROLLER', canRetry: true },
    { expected: { kind: 'retryable', mayHaveEffect: false }, name: 'THROTTLING_QUOTA_EXCEEDED', canRetry: false },
    { expected: { kind: 'retryable', mayHaveEffect: false }, name: 'INVALID_REPLICATION_FACTOR', canRetry: false },
    { expected: { kind: 'retryable', mayHaveEffect: true }, name: 'TOPIC_ALREADY_EXISTS', canRetry: false },
    { expected: { kind: 'unauthorized', mayHaveEffect: false }, name: 'TOPIC_AUTHORIZATION_FAILED', canRetry: false },
  ])('$expected: $name', ({ expected, name, canRetry }) => {
    expect(refused({ name, message: 'Kafka says so.', canRetry })).toMatchObject({
      ...expected,
      message: `Kafka says so (${name})`,
    });
  });
});

describe('an error of the client', () => {
  const coded = (code: string, message = 'why') => Object.assign(new Error(message), { code });
  const wrapped = (cause: Error) => new Error('Connection failed.', { cause });
  const response = Object.assign(new Error('many'), {
    errors: [{ apiId: 'INVALID_CONFIG', serverErrorMessage: 'Bad\nvalue.', canRetry: false, message: 'general' }],
  });
  it.each([
    {
      expected: { kind: 'terminal', message: 'Bad value (INVALID_CONFIG)' },
      when: 'the response has an error',
      error: response,
    },
    {
      expected: { kind: 'unreachable', message: 'kafka:9 does not answer: why', mayHaveEffect: true },
      when: 'the connection is lost',
      error: wrapped(coded('ECONNRESET')),
    },
    {
      expected: { kind: 'unauthorized', message: 'kafka:9 does not accept the certificate of the operator: why' },
      when: 'TLS refuses it',
      error: wrapped(coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')),
    },
    {
      expected: { kind: 'unreachable', message: 'kafka:9 does not answer: why' },
      when: 'the certificate of the node has expired',
      error: wrapped(coded('CERT_HAS_EXPIRED')),
    },
    {
      expected: { kind: 'unreachable', message: 'kafka:9 does not answer: ECONNREFUSED' },
      when: 'all addresses of a name refuse',
      error: wrapped(coded('ECONNREFUSED', '')),
    },
  ])('$expected: $when', ({ expected, error }) => {
    expect(callErrorOf(error, 'kafka:9', true)).toMatchObject(expected);
  });

  it('has no effect if the request has not left', () => {
    expect(callErrorOf(coded('ECONNREFUSED'), 'kafka:9', false).mayHaveEffect).toBe(false);
  });
});
