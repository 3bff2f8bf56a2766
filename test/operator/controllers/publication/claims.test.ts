import { describe, expect, it } from 'vitest';
import type { ServicePublicationResource } from '../../../../imports/index.js';
import { planOf } from '../../../../operator/controllers/publication/service-publication/plan/index.js';
import { isPlace } from '../../../../operator/controllers/publication/targets/destination.js';
import { memoryPorts, statesOf } from '../../../../operator/testing/contract/trial/memory-port.js';
import { trialsOf } from '../../../../operator/testing/contract/trial/trials.js';
import {
  dns,
  dnsServer,
  etcdServer,
  givenPublication,
  givenService,
  givenSlice,
  haproxyServer,
  tsigSecret,
  webhookServer,
  withTsigSecret,
} from './given-publication.js';
import { PublicationWorld } from './given-world.js';

const name = 'billing.corp.example.com';

describe('the status', () => {
  it('records a name before it is written', async () => {
    const { apiVersion, kind, spec } = givenPublication();
    const resource = { apiVersion, kind, metadata: { name: 'billing', namespace: 'shop' }, spec };
    const reads = [tsigSecret, givenService(), givenSlice(['10.1.0.1'])];
    const trials = trialsOf(withTsigSecret, { resource, edited: spec, reads } as never);
    const outside = memoryPorts([dnsServer(), haproxyServer(), etcdServer(), webhookServer()]);
    const trial = trials.process(await trials.memoryWith(), { outside });
    await trials.write(trial, resource as never, spec);
    let recorded: readonly string[] = [];
    let isWritten = false;
    for (let pass = 0; pass < 10; pass++) {
      await trial.pass(resource as never);
      isWritten = JSON.stringify(statesOf(outside)).includes(name);
      if (isWritten) expect(recorded).toContain(name);
      const { status } = (await trial.resource(resource as never)) as unknown as ServicePublicationResource;
      recorded = (status?.claims ?? []).flatMap(({ names = [] }) => names);
    }
    expect(isWritten).toBe(true);
  });

  it('has an earlier name for some seconds after it is gone, because a call may have been on its way', async () => {
    const world = await PublicationWorld.start();
    await world.edit({ targets: [{ dns: { ...dns, name: 'invoices' } }] });
    expect(world.dns(name)).toBeUndefined();
    const [claim] = (await world.resource()).status?.claims ?? [];
    expect(claim?.names).toEqual([name, 'invoices.corp.example.com']);
    expect(claim?.leavingSince).toBeDefined();
  });

  it('leads to the records of a target that is no longer in the spec', async () => {
    const zone = dnsServer();
    const world = await PublicationWorld.start({}, { ports: [zone, haproxyServer(), etcdServer(), webhookServer()] });
    await world.edit({ targets: [{ file: { configMap: 'hosts', format: 'Hosts' } }] });
    expect(world.outside('dns-names')).toEqual({});
  });
});

describe('names that no target has any more', () => {
  const now = Date.parse('2030-01-01T00:01:00Z');
  const dnsPlace = { type: 'dns', server: '10.0.0.53', port: 53, zone: 'corp.example.com', secret: 'ddns' } as const;
  /** What the status records of three names, of which the target has the last, when nothing of the others is seen. */
  const nextClaim = (recorded: object, at: number) => {
    const claim = { ...dnsPlace, names: ['a', 'b', 'c'], ...recorded };
    const slot = {
      ...{ position: 0, destination: dnsPlace, target: {}, problems: [], hosts: ['c'], services: [], claim },
      ...{ leaving: ['a', 'b'], asked: ['c', 'a', 'b'], isLeaving: false, isUnclear: false, isRecorded: true },
      ...{ polled: { known: true, at }, reading: { held: [] } },
    };
    const resource = givenPublication({}, { status: { claims: [claim] } as never });
    const situation = { resource, now, isDeleting: false, policy: 'Sync', abandoned: [], files: [], slots: [slot] };
    return planOf(situation as never).claims[0];
  };
  const leavingSince = '2030-01-01T00:00:00Z';

  it.each<readonly [string[], string, object, number]>([
    [['c'], 'they were asked for late enough', { leaving: ['a', 'b'], leavingSince }, now],
    [['a', 'b', 'c'], 'they were asked for too early', { leaving: ['a', 'b'], leavingSince }, now - 45_001],
    [['a', 'b', 'c'], 'one of them was given up later', { leaving: ['a'], leavingSince }, now],
    [['a', 'b', 'c'], 'an earlier version has not recorded which ones they are', { leavingSince }, now],
  ])('leave %j in the status when %s', (names, _, recorded, at) => {
    expect(nextClaim(recorded, at)?.names).toEqual(names);
  });

  it('begin to wait again with each further one', () => {
    const claim = nextClaim({ leaving: ['a'], leavingSince }, now);
    expect(claim).toMatchObject({ leaving: ['a', 'b'], leavingSince: '2030-01-01T00:01:00Z' });
    expect(nextClaim({ leaving: ['a', 'b'], leavingSince }, now)).not.toHaveProperty('leaving');
  });
});

describe('the plan', () => {
  it('sends no change whose names the status does not record', () => {
    const change = { type: 'haproxy', request: { address: 'a:1', backend: 'b', changes: [] } };
    const slot = {
      ...{ position: 0, destination: { type: 'haproxy', address: 'a:1', backend: 'b' }, target: {}, problems: [] },
      ...{ hosts: [], services: [], leaving: [], asked: [], claim: undefined, isLeaving: false, isUnclear: false },
      reading: { request: change, held: [], blocked: [], failed: [], differences: [], records: 0 },
    };
    const plan = (isRecorded: boolean) =>
      planOf({
        ...{ resource: givenPublication(), now: 0, isDeleting: false, policy: 'Sync', abandoned: [], files: [] },
        slots: [{ ...slot, isRecorded }],
      } as never);
    expect(plan(false).calls).toEqual([]);
    expect(plan(false).claims).toEqual([{ type: 'haproxy', address: 'a:1', backend: 'b' }]);
    expect(plan(true).calls).toHaveLength(1);
  });

  it('records no place of a server that has never answered, so that its publication can be deleted at once', () => {
    const slot = {
      ...{ position: 0, destination: { type: 'haproxy', address: 'a:1', backend: 'b' }, target: {}, problems: [] },
      ...{ hosts: [], services: [], leaving: [], asked: [], claim: undefined, isLeaving: false, isUnclear: false },
      ...{ reading: undefined, isRecorded: false },
    };
    const { claims } = planOf({
      ...{ resource: givenPublication(), now: 0, isDeleting: false, policy: 'Sync', abandoned: [], files: [] },
      slots: [slot],
    } as never);
    expect(claims).toEqual([]);
  });
});

describe('a place that a person abandons', () => {
  const dns = { type: 'dns', server: '10.0.0.1', port: 53, zone: 'corp.example.com', secret: 'key' } as const;
  const haproxy = { type: 'haproxy', address: '10.0.0.1:9999', backend: 'web' } as const;
  it.each([
    ['the zone at its server', 'corp.example.com at 10.0.0.1', dns, true],
    ['a name in the zone', 'billing.corp.example.com at 10.0.0.1', dns, true],
    ['several names in the zone', 'a.corp.example.com and 3 more names at 10.0.0.1', dns, true],
    ['another server', 'billing.corp.example.com at 10.0.0.2', dns, false],
    ['another zone', 'billing.example.com at 10.0.0.1', dns, false],
    ['a zone that ends alike', 'mycorp.example.com at 10.0.0.1', dns, false],
    ['nothing', '', dns, false],
    ['a backend', 'backend web at 10.0.0.1:9999', haproxy, true],
    ['another backend', 'backend other at 10.0.0.1:9999', haproxy, false],
  ] as const)('is found or not by %s', (_, text, destination, isFound) => {
    expect(isPlace(text, destination)).toBe(isFound);
  });
});
