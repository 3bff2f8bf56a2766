import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../../crds/index.js';
import {
  rejectShrinking,
  renderClaims,
  volumesOf,
} from '../../../../../operator/controllers/kafka/cluster/node-claims.js';
import { nodesOf } from '../../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import { retiredLabel } from '../../../../../operator/members/index.js';

const fast = { name: 'fast', size: '20Gi', storageClassName: 'ssd' };
const storageOf = (...additionalVolumes: readonly object[]) => ({ storage: { size: '10Gi', additionalVolumes } });
const claim = (name: string, size = '20Gi', changes: object = {}) => ({
  metadata: { name, namespace: 'shop', labels: {}, annotations: {}, ...changes },
  spec: { volumeName: 'pv', storageClassName: 'ssd', resources: { requests: { storage: size } } },
  status: { phase: 'Bound', capacity: { storage: size } },
});
const broker = { id: 2, group: 'broker', role: 'broker' as const };

function viewOf(input: object, claims: readonly object[]) {
  const spec = withDefaults(kafkaClusterSpec, { brokers: storageOf(), ...input } as never);
  return {
    resource: { metadata: { name: 'events', namespace: 'shop', uid: 'uid' }, spec },
    owned: { of: () => claims },
    reads: { nodes: [], claims: [], listenerCertificates: [] },
  } as never;
}

function rendered(input: object, claims: readonly object[], changes: object = {}) {
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  renderClaims(chart, { claim: { ...broker, ...changes }, view: viewOf(input, claims), clusterId: 'id' });
  return chart
    .toJson()
    .map(({ metadata, spec }) => [metadata.name, spec.resources.requests.storage, spec.storageClassName]);
}

describe('the claims of a broker', () => {
  it.each([
    { are: [['events-broker-2', '10Gi', undefined]], when: 'the spec has one volume', input: {}, claims: [] },
    {
      are: [
        ['events-broker-2', '10Gi', undefined],
        ['events-broker-2-fast', '20Gi', 'ssd'],
      ],
      when: 'the spec has another one, which does not exist yet',
      input: { brokers: storageOf(fast) },
      claims: [],
    },
    {
      are: [
        ['events-broker-2', '10Gi', undefined],
        ['events-broker-2-fast', '30Gi', 'ssd'],
      ],
      when: 'the spec has a larger size: the claim grows',
      input: { brokers: storageOf({ ...fast, size: '30Gi' }) },
      claims: [claim('events-broker-2-fast')],
    },
    {
      are: [
        ['events-broker-2', '10Gi', undefined],
        ['events-broker-2-fast', '20Gi', 'ssd'],
      ],
      when: 'the spec does not have it any more: it is never lost',
      input: {},
      claims: [claim('events-broker-2-fast'), claim('events-broker-3-fast'), claim('events-broker-2-old-1')],
    },
  ])('are $are when $when', ({ are, input, claims }) => {
    expect(rendered(input, claims)).toEqual(are);
  });

  it('stay as they are when the broker has left, and are labelled', () => {
    const claims = [claim('events-broker-2-fast')];
    const input = { brokers: storageOf({ ...fast, size: '30Gi' }, { name: 'more', size: '1Gi' }) };
    expect(rendered(input, claims, { retired: 'removed' })).toEqual([
      ['events-broker-2', '10Gi', undefined],
      ['events-broker-2-fast', '20Gi', 'ssd'],
    ]);
  });

  it('of a pool that the spec does not have any more get no volumes of other brokers', () => {
    const view = viewOf({ brokers: storageOf(fast) }, [claim('events-large-2-slow')]);
    expect(volumesOf({ ...broker, group: 'large' }, view)).toEqual(['slow']);
  });

  it('are not smaller than their volumes', () => {
    const small = viewOf({ brokers: storageOf({ ...fast, size: '5Gi' }) }, [claim('events-broker-2-fast')]);
    expect(() => rejectShrinking(small)).toThrow(
      'spec.brokers.storage.additionalVolumes[fast].size: Invalid value: "5Gi": must be at least 20Gi, the size of the volume of PVC events-broker-2-fast',
    );
    const controllers = viewOf({ controllers: { storage: { size: '1Gi' } } }, [claim('events-controller-1000')]);
    expect(() => rejectShrinking(controllers)).toThrow('spec.controllers.storage.size: Invalid value: "1Gi"');
  });
});

describe('a broker', () => {
  const seen = (claims: readonly object[], gone: readonly string[] = [], pods: readonly object[] = []) =>
    nodesOf({
      ...{ cluster: 'events', groups: [{ name: 'broker', role: 'broker' }], pods: pods as never, gone },
      nodes: [{ name: 'n2', isReady: true, labels: {} }] as never,
      ...{ claims: claims as never, topologyKey: 'zone' },
    });
  const home = { annotations: { 'volume.kubernetes.io/selected-node': 'n1' } };

  it('is one node with all of its claims', () => {
    expect(seen([claim('events-broker-2'), claim('events-broker-2-fast')])).toMatchObject([
      { name: 'events-broker-2', claim: 'there' },
    ]);
  });

  it('does not start while one of them is being deleted', () => {
    const ending = claim('events-broker-2-fast', '20Gi', { deletionTimestamp: '2026-11-27T12:00:00Z' });
    expect(seen([claim('events-broker-2'), ending])).toMatchObject([{ claim: 'ending' }]);
  });

  it('is lost with the machine of one of them', () => {
    const claims = [claim('events-broker-2'), claim('events-broker-2-fast', '20Gi', home)];
    expect(seen(claims, ['n1'])).toMatchObject([{ isNodeGone: true }]);
    expect(seen(claims)).toMatchObject([{ isNodeGone: false }]);
  });

  it('is not lost if another machine runs its Pod, which has the volume then', () => {
    const on = (nodeName?: string) => [{ metadata: { name: 'events-broker-2' }, spec: { nodeName } }];
    const claims = [claim('events-broker-2', '10Gi', home)];
    expect(seen(claims, ['n1'], on('n2'))).toMatchObject([{ isNodeGone: false }]);
    expect(seen(claims, ['n1'], on('n1'))).toMatchObject([{ isNodeGone: true }]);
    expect(seen(claims, ['n1'], on())).toMatchObject([{ isNodeGone: true }]);
  });

  it('has an ID that is not given again while one of them is left', () => {
    expect(seen([claim('events-broker-2-fast')])).toMatchObject([{ id: 2, claim: 'none', pod: 'none' }]);
  });

  it('has left with the label on its first claim', () => {
    const labels = { [retiredLabel]: 'removed' };
    expect(seen([claim('events-broker-2', '1Gi', { labels }), claim('events-broker-2-fast')])).toMatchObject([
      { retired: 'removed' },
    ]);
  });
});
