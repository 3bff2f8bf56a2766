import { describe, expect, it } from 'vitest';
import { millisecondsOf, timestampOf } from '../../../../operator/runtime/kubernetes/timestamp.js';

describe('a time of the API', () => {
  it('is written in UTC, to the second', () => {
    expect(timestampOf(Date.parse('2030-01-02T03:04:05.678+02:00'))).toBe('2030-01-02T01:04:05Z');
  });

  it('is read as milliseconds', () => {
    expect(millisecondsOf('1970-01-01T00:00:02Z')).toBe(2_000);
  });

  it.each([undefined, null, '', 'soon'])('is not known from %s', (text) => {
    expect(millisecondsOf(text)).toBeUndefined();
  });
});
