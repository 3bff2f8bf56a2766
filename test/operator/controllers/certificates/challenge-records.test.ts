import { describe, expect, it } from 'vitest';
import {
  nextRecords,
  type RecordsSituation,
  type TxtRecord,
} from '../../../../operator/controllers/certificates/challenges/responses.js';

const of = (value: string, phase: TxtRecord['phase']): TxtRecord => ({
  ...{ server: '192.0.2.53', port: 53, zone: 'example.com', name: '_acme-challenge.example.com', value, phase },
});
const wants = (...values: readonly string[]) => values.map((value) => of(value, 'Added'));

describe('the records of the challenges', () => {
  it.each<readonly [expected: string, when: string, situation: RecordsSituation]>([
    ['', 'nothing is wanted', { recorded: [], wanted: [], values: undefined }],
    ['a Adding', 'one is wanted', { recorded: [], wanted: wants('a'), values: undefined }],
    ['a Adding', 'it is not known', { recorded: [of('a', 'Adding')], wanted: wants('a'), values: undefined }],
    ['a Adding', 'it is not there', { recorded: [of('a', 'Adding')], wanted: wants('a'), values: ['b'] }],
    ['a Added', 'it is there', { recorded: [of('a', 'Adding')], wanted: wants('a'), values: ['a', 'b'] }],
    ['a Removing', 'it is no longer wanted', { recorded: [of('a', 'Added')], wanted: [], values: undefined }],
    ['a Removing', 'it is not known to be gone', { recorded: [of('a', 'Removing')], wanted: [], values: undefined }],
    ['a Removing', 'it is still there', { recorded: [of('a', 'Removing')], wanted: [], values: ['a'] }],
    ['', 'it is gone', { recorded: [of('a', 'Removing')], wanted: [], values: [] }],
    ['a Adding', 'it is wanted again', { recorded: [of('a', 'Removing')], wanted: wants('a'), values: ['a'] }],
    ['a Added', 'the issuer is not known', { recorded: [of('a', 'Added')], wanted: undefined, values: undefined }],
    [
      'a Added, b Adding, c Adding',
      'the values are those of another record than the first that is not settled',
      { recorded: [of('a', 'Added'), of('b', 'Adding')], wanted: wants('a', 'b', 'c'), values: ['a', 'c'] },
    ],
  ])('are [%s] when %s', (expected, _, situation) => {
    expect(
      nextRecords(situation)
        .map(({ value, phase }) => `${value} ${phase}`)
        .join(', '),
    ).toBe(expected);
  });
});
