import { describe, expect, it } from 'vitest';
import type { PodRole } from '../../../../operator/controllers/leader/ports/roles.js';
import { handledSwitchover } from '../../../../operator/controllers/leader/report.js';
import { situationOf } from '../../../../operator/controllers/leader/situation.js';
import type { ElectionView } from '../../../../operator/controllers/leader/view.js';
import { type GivenSpec, givenElection, givenReport } from './given-election.js';

const pod = (name: string, more: object = {}) => ({
  ...{ name, uid: `uid-${name}`, address: '10.0.0.1', isReady: true, isEnding: false, created: '' },
  ...{ labels: { app: 'cache', tier: 'data' }, ...more },
});
const known = <A>(value: A) => ({ known: true, value, at: 5_000, earlier: [] }) as const;
const unknown = { known: false, why: 'busy', since: 0, earlier: [] } as const;

interface Given {
  readonly spec?: GivenSpec;
  readonly pods?: readonly object[];
  readonly nodes?: readonly object[];
  readonly rivals?: readonly object[];
  readonly polled?: object;
  readonly status?: object;
  readonly annotations?: Record<string, string>;
}

function situationIn({ spec, pods = [pod('a')], nodes = [], rivals = [], polled = {}, ...resource }: Given) {
  return situationOf({
    resource: givenElection(spec, resource),
    reads: { pods, nodes, rivals, authority: undefined },
    ...{ owned: { of: () => [] }, now: new Date(0), polled },
  } as unknown as ElectionView);
}

const roles = (all: Readonly<Record<string, Partial<PodRole>>>) => known({ pods: all });

describe('a candidate', () => {
  const first = (given: Given) => situationIn(given).candidates[0];

  it.each<readonly [boolean, string, Given]>([
    [false, 'nobody has deleted its Pod', { polled: { roles: roles({ a: { uid: 'uid-a' } }) } }],
    [true, 'its Pod was seen to be deleted', { pods: [pod('a', { isEnding: true })] }],
    [true, 'the API server says so later', { polled: { roles: roles({ a: { uid: 'uid-a', isEnding: true } }) } }],
    [false, 'an earlier Pod of its name ends', { polled: { roles: roles({ a: { uid: 'old', isEnding: true } }) } }],
  ])('ends is %s when %s', (expected, _, given) => {
    expect(first(given)?.isEnding).toBe(expected);
  });

  it('has neither the report nor the role of an earlier Pod of its name', () => {
    const reports = { a: givenReport('a', 'old') };
    const polled = { launchers: known({ reports, silent: {} }), roles: roles({ a: { uid: 'old', isLabelled: true } }) };
    expect(first({ polled })).toMatchObject({ report: undefined, told: undefined });
  });

  it('has its report, what it was told, and the zone of its node', () => {
    const report = givenReport('a', 'uid-a');
    const polled = {
      launchers: known({ reports: { a: report }, silent: {} }),
      roles: roles({ a: { uid: 'uid-a', role: '{}', term: '5', isLabelled: true } }),
    };
    const nodes = [{ name: 'node-1', labels: { 'topology.kubernetes.io/zone': 'west' } }];
    expect(first({ polled, nodes, pods: [pod('a', { nodeName: 'node-1' })] })).toMatchObject({
      ...{ report, zone: 'west', told: { text: '{}', role: undefined, term: '5', isLabelled: true } },
    });
  });

  it.each<readonly [number | undefined, number]>([
    [2_147_483_647, 2_147_483_647],
    [undefined, 2_147_483_648],
  ])('was told the term %s by a role of term %s', (expected, term) => {
    const role = JSON.stringify({ boot: 'x', role: 'none', term });
    const polled = { roles: roles({ a: { uid: 'uid-a', role, isLabelled: false } }) };
    expect(first({ polled })?.told?.role?.term).toBe(expected);
  });

  it.each<readonly [string | undefined, string, object]>([
    ['refused', 'its launcher is silent', { launchers: known({ reports: {}, silent: { a: 'refused' } }) }],
    ['timed out', 'its hook is silent', { hooks: known({ states: {}, silent: { a: 'timed out' } }) }],
    [undefined, 'launchers were not asked', { launchers: unknown }],
  ])('is silent because of %s when %s', (silence, _, polled) => {
    expect(first({ polled })?.silence).toBe(silence);
  });
});

describe('another election of the namespace', () => {
  const rival = (name: string, selector: object, creationTimestamp?: string) => ({
    ...{ namespace: 'shop', name, selector, creationTimestamp },
  });
  it.each<readonly [string | undefined, string, object]>([
    ['all', 'it is older and selects a Pod of this one', rival('all', { tier: 'data' })],
    [undefined, 'it is younger', rival('all', { tier: 'data' }, '2030-01-01T00:00:00Z')],
    [undefined, 'it selects other Pods', rival('all', { tier: 'web' })],
    [undefined, 'it needs a label that no Pod of this one has', rival('all', { tier: 'data', app: 'web' })],
    [undefined, 'it is this one', rival('cache', { app: 'cache' })],
  ])('is the rival %s when %s', (expected, _, one) => {
    expect(situationIn({ rivals: [one] }).rival).toBe(expected);
  });
});

describe('what is known of an election', () => {
  it('are the Pods that exist and that end, by UID, and nothing without an answer', () => {
    const polled = { roles: roles({ a: { uid: 'uid-a' }, b: { uid: 'uid-b', isEnding: true } }) };
    expect(situationIn({ polled })).toMatchObject({ existing: ['uid-a', 'uid-b'], ending: ['uid-b'] });
    expect(situationIn({ polled: { roles: unknown } })).toMatchObject({ existing: undefined, ending: [] });
  });

  it('is when launchers were asked', () => {
    expect(situationIn({ polled: { launchers: known({ reports: {}, silent: {} }) } }).reportsAt).toBe(5_000);
    expect(situationIn({ polled: { launchers: unknown } }).reportsAt).toBeUndefined();
  });

  const http = { http: { path: '/', port: 8080 } };
  it.each<readonly [string, GivenSpec]>([
    ['launcher', { application: { redis: {} } }],
    ['pod', { application: { hooks: { promote: http, demote: http, status: http } } }],
    ['pod', { application: { label: {} } }],
  ])('is that the fence is the %s with %j', (fencing, spec) => {
    expect(situationIn({ spec }).fencing).toBe(fencing);
  });

  it.each<readonly [object | undefined, string, string | undefined, object | undefined]>([
    [undefined, 'nobody asks', undefined, undefined],
    [{ value: '1', to: undefined, acceptsLoss: false }, 'no Pod is named', '1', undefined],
    [{ value: '1 to=b', to: 'b', acceptsLoss: false }, 'a Pod is named', '1 to=b', undefined],
    [
      { value: '1 to=b accept-data-loss', to: 'b', acceptsLoss: true },
      'the loss is accepted',
      '1 to=b accept-data-loss',
      undefined,
    ],
    [undefined, 'the request was handled', '1 to=b', { requested: '1 to=b' }],
    [{ value: '2', to: undefined, acceptsLoss: false }, 'another request was handled', '2', { requested: '1' }],
  ])('is the request %j when %s', (switchover, _, value, status) => {
    const annotations = value !== undefined && { annotations: { 'reconstruct.dev/switchover': value } };
    expect(situationIn({ ...annotations, ...(status && { status }) }).switchover).toEqual(switchover);
  });

  it.each([
    ['1 to=', 'to='],
    ['1 --to b', '--to'],
    ['1 to=b accept', 'accept'],
  ])('has no request that it would follow in %j, and the word %j is named', (value, word) => {
    const situation = situationIn({ annotations: { 'reconstruct.dev/switchover': value } });
    expect([situation.switchover, situation.unreadable]).toEqual([undefined, { value, word }]);
    expect(handledSwitchover(situation)).toEqual({
      value,
      problem: `"${word}" is no option: use to=POD or accept-data-loss`,
    });
  });
});
