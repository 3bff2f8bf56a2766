import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { renderChange } from '../../../../operator/controllers/certificates/challenges/record-change.js';
import {
  type KnownRecords,
  nextRecords,
  type TxtRecord,
} from '../../../../operator/controllers/certificates/challenges/responses.js';
import type { AcmeIssuer } from '../../../../operator/controllers/certificates/issuer-reference/issuer-state.js';
import { ExternalCall } from '../../../../operator/runtime/index.js';

const of = (value: string, phase: TxtRecord['phase']): TxtRecord => ({
  ...{ server: '192.0.2.53', port: 53, zone: 'example.com', name: '_acme-challenge.example.com', value, phase },
});
const wants = (...values: readonly string[]) => values.map((value) => of(value, 'Added'));

describe('the records of the challenges', () => {
  it.each<readonly [expected: string, when: string, situation: KnownRecords]>([
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

describe('the call for a record', () => {
  const url = 'https://dns-webhook.example.com';
  const record: TxtRecord = { url, name: '_acme-challenge.example.com', value: 'a', phase: 'Adding' };
  const hook = (of: object = {}) => [{ dns01: { webhook: { url, ...of } } }];
  const secretRef = { name: 'token' };
  const { url: _, ...named } = record;
  it.each<readonly [when: string, solvers: readonly object[], of: TxtRecord, call: object | undefined]>([
    ['the webhook needs no token', hook(), record, { request: { act: 'present', url, ...value(record) } }],
    ['it needs one', hook({ secretRef }), record, { secret: { namespace: 'home', name: 'token' } }],
    ['it has a private CA', hook({ caBundle: 'PEM' }), record, { request: { act: 'present', url, caBundle: 'PEM' } }],
    [
      'the record is removed',
      hook(),
      { ...record, phase: 'Removing' },
      { request: { act: 'cleanup', url, ...value(record) } },
    ],
    ['the issuer has another webhook', hook({ url: 'https://other.example.com' }), record, undefined],
    ['the record is one of a server', hook(), { ...named, server: '192.0.2.53', zone: 'example.com' }, undefined],
  ])('is right if %s', (_when, solvers, of, call) => {
    const issuer = { solvers, secretNamed: (name: string) => ({ namespace: 'home', name }) };
    const scope = new Chart(new App(), 'shop');
    renderChange(scope, of, issuer as unknown as AcmeIssuer);
    const calls = scope.node.children.filter(ExternalCall.isExternalCall) as readonly ExternalCall[];
    expect(calls.map(({ props }) => props)).toMatchObject(call ? [call] : []);
    if (call && !('secret' in call)) expect(calls[0]?.props.secret).toBeUndefined();
  });
});

function value({ name, value: of }: TxtRecord) {
  return { name, value: of };
}
