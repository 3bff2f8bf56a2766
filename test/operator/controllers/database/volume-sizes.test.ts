import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { desire } from '../../../../operator/controllers/database/desire.js';
import { rejectShrinking } from '../../../../operator/controllers/database/volumes/volume-sizes.js';
import { hasVolume, requestFor } from '../../../../operator/pods/claim-sizes.js';
import type { LivePersistentVolumeClaim } from '../../../../operator/runtime/index.js';
import { waveOf } from '../../../../operator/runtime/rendering/waves.js';
import { type Loose, live } from '../../../given.js';
import { type Changes, databaseView } from './given-view.js';

interface Sizes {
  readonly request: string;
  /** Undefined before there is a volume. */
  readonly capacity?: string | undefined;
}

/** What differs of a PVC of these sizes. */
const sized = ({ request, capacity }: Sizes) => ({
  spec: { resources: { requests: { storage: request } }, ...(capacity && { volumeName: 'pv' }) },
  status: capacity ? { phase: 'Bound', capacity: { storage: capacity } } : { phase: 'Pending' },
});
const claim = (name: string, sizes: Sizes, metadata: object = {}): LivePersistentVolumeClaim =>
  live({
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace: 'shop', ...metadata } },
    ...sized(sizes),
  });

describe('the size that a PVC requests', () => {
  test.each<Sizes & { is: string; when: string; size: string | number }>([
    { is: '2Gi', when: 'it is to grow', size: '2Gi', request: '1Gi', capacity: '1Gi' },
    { is: '1Gi', when: 'it is as it should be', size: '1024Mi', request: '1Gi', capacity: '1Gi' },
    { is: '1Gi', when: 'the storage gave more', size: '1Gi', request: '1Gi', capacity: '10Gi' },
    { is: '5Gi', when: 'an expansion has not come', size: '5Gi', request: '100Gi', capacity: '1Gi' },
    { is: '100Gi', when: 'Kubernetes does not lower it so far', size: '1Gi', request: '100Gi', capacity: '1Gi' },
    { is: '100Gi', when: 'it would shrink', size: '512Mi', request: '100Gi', capacity: '1Gi' },
    { is: '2Gi', when: 'less was asked for than there is', size: '1Gi', request: '2Gi', capacity: '10Gi' },
    { is: '1Gi', when: 'it has no volume yet', size: '1Gi', request: '100Gi' },
  ])('is $is if $when', ({ is, size, ...sizes }) => {
    expect(requestFor(size, claim('orders-1', sizes))).toBe(is);
  });

  test('is that of the spec where there is no PVC', () => expect(requestFor('0.5Gi', undefined)).toBe('512Mi'));

  test.each([
    [false, 'nothing is bound', { status: { phase: 'Pending' } }],
    [true, 'it is bound', { status: { phase: 'Bound' } }],
    [true, 'it is about to be bound', { spec: { volumeName: 'pv' }, status: { phase: 'Pending' } }],
    [true, 'it is not known', {}],
  ])('a volume is there: %s if %s', (is, _when, changes) => {
    expect(hasVolume({ ...claim('orders-1', { request: '1Gi' }), spec: {}, status: {}, ...changes })).toBe(is);
  });
});

/** Why a spec is rejected. Undefined if it is not. */
function rejection(changes: Changes, claims: readonly LivePersistentVolumeClaim[]): string | undefined {
  try {
    rejectShrinking(databaseView(changes).resource, claims);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
const big = claim('orders-2', { request: '2Gi', capacity: '2Gi' });
const small = claim('orders-1', { request: '1Gi', capacity: '1Gi' });

describe('a size that is smaller than a volume', () => {
  test('is rejected with the volume, its size and what to do', () => {
    const why =
      'spec.storage.size: Invalid value: "1Gi": must be at least 2Gi, the size of the volume of PVC orders-2, because a volume cannot shrink; use 2Gi or more, or restore into a new Database with the smaller size';
    expect(rejection({}, [small, big])).toBe(why);
  });

  test('is rejected for the archive, too, but only if it is stated', () => {
    const archive = claim('orders-repo', { request: '3Gi', capacity: '3Gi' });
    const backup = (volume: object) => ({ spec: { backup: { target: { volume } } } });
    expect(rejection(backup({ size: '2Gi' }), [archive])).toMatch(
      /^spec\.backup\.target\.volume\.size: Invalid value: "2Gi": must be at least 3Gi, the size of the volume of PVC orders-repo/,
    );
    expect(rejection(backup({ size: '3Gi' }), [archive])).toBeUndefined();
    expect(rejection(backup({}), [archive])).toBeUndefined();
  });

  const accepted = (status: string, observedGeneration: number) => ({
    conditions: [{ type: 'Accepted', status, observedGeneration, reason: 'Valid', message: '' }],
  });

  test.each<{ is: boolean; when: string; claims: readonly LivePersistentVolumeClaim[]; changes?: Changes }>([
    { is: false, when: 'every volume has that size', claims: [small] },
    {
      is: false,
      when: 'an expansion that a quota refused is taken back',
      claims: [claim('orders-1', { request: '1Gi', capacity: '1Gi' })],
    },
    {
      is: false,
      when: 'an expansion that never came is taken back',
      claims: [claim('orders-1', { request: '100Gi', capacity: '1Gi' })],
    },
    {
      is: false,
      when: 'storage gives more than it is asked for',
      claims: [claim('orders-1', { request: '1Gi', capacity: '10Gi' })],
    },
    { is: false, when: 'there is no volume yet', claims: [claim('orders-1', { request: '100Gi' })] },
    {
      is: false,
      when: 'that volume is only kept',
      claims: [
        claim('orders-2', { request: '2Gi', capacity: '2Gi' }, { labels: { 'reconstruct.dev/quarantined': '' } }),
      ],
    },
    {
      is: false,
      when: 'a volume was expanded by hand after the spec was accepted',
      claims: [big],
      changes: { metadata: { generation: 4 }, status: accepted('True', 4) },
    },
    {
      is: false,
      when: 'it is the last accepted spec, and a later one was rejected',
      claims: [big],
      changes: { metadata: { generation: 4 }, status: accepted('False', 5) },
    },
    {
      is: true,
      when: 'it was edited',
      claims: [big],
      changes: { metadata: { generation: 5 }, status: accepted('True', 4) },
    },
    {
      is: true,
      when: 'it was rejected before',
      claims: [big],
      changes: { metadata: { generation: 5 }, status: accepted('False', 5) },
    },
    {
      is: false,
      when: 'the Database is being deleted',
      claims: [big],
      changes: { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } },
    },
  ])('is rejected: $is if $when', ({ is, claims, changes = {} }) => {
    expect(rejection(changes, claims) !== undefined).toBe(is);
  });
});

/** What is rendered, by kind and name, and in which wave. */
function rendered(changes: Changes) {
  const chart = new Chart(new App(), 'resource', { namespace: 'shop' });
  desire(chart, databaseView(changes));
  const waves = new Map();
  const objects = chart.node.findAll().filter((one): one is typeof one & { toJson(): Loose } => 'toJson' in one);
  const all = objects.filter((one) => one !== (chart as unknown));
  return new Map(
    all.map((object) => {
      const json = object.toJson();
      return [`${json.kind} ${json.metadata.name}`, { json, wave: waveOf(object, waves) }] as const;
    }),
  );
}
const asked = (changes: Changes, name: string) =>
  rendered(changes).get(`PersistentVolumeClaim ${name}`)?.json['spec'].resources.requests.storage;

describe('a PVC whose size is refused', () => {
  const growing: Changes = { spec: { storage: { size: '100Gi' } } };

  test('is written after everything else, the budgets too', () => {
    const all = rendered(growing);
    const waves = [...all].filter(([name]) => !name.startsWith('PersistentVolumeClaim')).map(([, { wave }]) => wave);
    expect(all.get('PersistentVolumeClaim orders-1')?.wave).toBeGreaterThan(Math.max(...waves));
  });

  test('is one that stays: one that leaves keeps its size, so that its mark is written', () => {
    const fewer: Changes = { spec: { ...growing.spec, replicas: 2 } };
    expect(asked(fewer, 'orders-2')).toBe('100Gi');
    expect(asked(fewer, 'orders-3')).toBe('1Gi');
  });

  test('makes no parameter larger than the volumes', () => {
    const config = (changes: Changes) =>
      rendered(changes).get('ConfigMap orders-config')?.json.metadata.annotations?.['config'];
    expect(config(growing)).toBe(config({}));
    const grown = sized({ request: '100Gi', capacity: '100Gi' });
    const claims = { 'orders-1': grown, 'orders-2': grown, 'orders-3': grown };
    expect(config({ ...growing, claims })).toContain('"max_slot_wal_keep_size":"16384MB"');
  });
});
