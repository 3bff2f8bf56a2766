import { describe, expect, it } from 'vitest';
import { merged } from '../../../operator/runtime/fields/merge.js';
import { ConfigMap, Deployment, Ingress } from '../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { configMap, type Loose } from '../../given.js';

/** A cluster to hold to the contract, and a namespace in it that is empty. */
export interface GivenCluster {
  readonly cluster: Cluster;
  readonly namespace: string;
}

const manager = 'reconstruct-contract';
const other = { manager: 'somebody-else' };

/** The part of the contract that is about server-side apply. */
export function applyContract(given: () => Promise<GivenCluster>): void {
  describe('a server-side apply', () => {
    it('creates a missing object', async () => {
      const { cluster, namespace } = await given();
      const created = await cluster.apply(ConfigMap, configMap('a', { namespace, data: { a: '1' } }), { manager });
      expect(created).toMatchObject({ data: { a: '1' }, metadata: { uid: expect.any(String) } });
    });

    it('R17 that changes nothing leaves the version as it is', async () => {
      const { cluster, namespace } = await given();
      const object = configMap('a', { namespace, data: { a: '1' } });
      const first = await cluster.apply(ConfigMap, object, { manager });
      expect((await cluster.apply(ConfigMap, object, { manager })).metadata.resourceVersion).toBe(
        first.metadata.resourceVersion,
      );
    });

    it('R18 removes fields that the manager no longer applies, and keeps fields of others', async () => {
      const { cluster, namespace } = await given();
      await cluster.apply(ConfigMap, configMap('a', { namespace, data: { ours: '1', both: '1' } }), { manager });
      await cluster.apply(ConfigMap, configMap('a', { namespace, data: { theirs: '1', both: '1' } }), other);
      const answer = await cluster.apply(ConfigMap, configMap('a', { namespace, data: { new: '1' } }), { manager });
      expect((answer as Loose)['data']).toEqual({ theirs: '1', both: '1', new: '1' });
    });

    it('R18 keeps a field that it no longer applies if another manager has changed it', async () => {
      const { cluster, namespace } = await given();
      await cluster.apply(ConfigMap, configMap('a', { namespace, data: { a: '1', b: '1' } }), { manager });
      await cluster.patch(ConfigMap, { namespace, name: 'a' }, [{ op: 'replace', path: '/data/a', value: '2' }], other);
      const answer = await cluster.apply(ConfigMap, configMap('a', { namespace }), { manager });
      expect((answer as Loose)['data']).toEqual({ a: '2' });
    });

    it('R18 takes a field over from its owner by force, so that the owner can no longer remove it', async () => {
      const { cluster, namespace } = await given();
      await cluster.apply(ConfigMap, configMap('a', { namespace, data: { a: 'theirs' } }), other);
      await cluster.apply(ConfigMap, configMap('a', { namespace, data: { a: 'ours' } }), { manager });
      const answer = await cluster.apply(ConfigMap, configMap('a', { namespace, data: { b: 'theirs' } }), other);
      expect((answer as Loose)['data']).toEqual({ a: 'ours', b: 'theirs' });
    });

    it('R18 keeps what a create of the same manager stated, until that is handed over', async () => {
      const { cluster, namespace } = await given();
      await cluster.create(ConfigMap, configMap('a', { namespace, data: { old: '1' } }), { manager });
      const answer = await cluster.apply(ConfigMap, configMap('a', { namespace, data: { new: '1' } }), { manager });
      expect((answer as Loose)['data']).toEqual({ old: '1', new: '1' });
      const entries = managedFieldsOf(answer) as { manager: string; operation: string }[];
      expect(entries.map((entry) => [entry.manager, entry.operation]).sort()).toEqual([
        [manager, 'Apply'],
        [manager, 'Update'],
      ]);
    });

    it('R18 merges lists by their keys', async () => {
      const { cluster, namespace } = await given();
      const one = (env: object[]) => deployment(namespace, env);
      await cluster.apply(
        Deployment,
        one([
          { name: 'A', value: '1' },
          { name: 'B', value: '1' },
        ]),
        { manager },
      );
      await cluster.apply(Deployment, one([{ name: 'C', value: 'theirs' }]), other);
      const answer = await cluster.apply(Deployment, one([{ name: 'B', value: '2' }]), { manager });
      expect(envOf(answer)).toEqual([
        { name: 'B', value: '2' },
        { name: 'C', value: 'theirs' },
      ]);
    });

    it('R18 removes an item that it states no more, though another manager has changed a field of it', async () => {
      const { cluster, namespace } = await given();
      const [a, b] = ['A', 'B'].map((name) => ({ name, value: '1' }));
      await cluster.apply(Deployment, deployment(namespace, [a, b] as object[]), { manager });
      const path = '/spec/template/spec/containers/0/env/0/value';
      await cluster.patch(Deployment, { namespace, name: 'a' }, [{ op: 'replace', path, value: '2' }], other);
      const answer = await cluster.apply(Deployment, deployment(namespace, [b] as object[]), { manager });
      expect(envOf(answer)).toEqual([b]);
    });

    it('R18 over what was looked at states the values, leaves what others stated, and makes the fields an update', async () => {
      const { cluster, namespace } = await given();
      await cluster.apply(ConfigMap, configMap('a', { namespace, data: { ours: '1', both: '1' } }), { manager });
      const over = await cluster.apply(
        ConfigMap,
        configMap('a', { namespace, data: { theirs: '1', both: 'theirs' } }),
        other,
      );
      const wish = configMap('a', { namespace, data: { ours: '2', both: '1' } });
      const answer = await cluster.apply(ConfigMap, wish, { manager, whole: merged(over, wish) });
      expect((answer as Loose)['data']).toEqual({ ours: '2', both: '1', theirs: '1' });
      const entries = managedFieldsOf(answer) as { manager: string; operation: string }[];
      expect(entries.map(({ manager: by, operation }) => `${by} ${operation}`).sort()).toEqual([
        `${manager} Update`,
        'somebody-else Apply',
      ]);
    });

    it('R18 over a version that has changed since meets a conflict, and loses nothing of the change', async () => {
      const { cluster, namespace } = await given();
      const over = await cluster.apply(ConfigMap, configMap('a', { namespace, data: { ours: '1' } }), { manager });
      await cluster.apply(ConfigMap, configMap('a', { namespace, data: { theirs: '1' } }), other);
      const wish = configMap('a', { namespace, data: { ours: '2' } });
      const context = cluster.apply(ConfigMap, wish, { manager, whole: merged(over, wish) });
      await expect(context).rejects.toMatchObject({ reason: 'Conflict' });
      const now = await cluster.read(ConfigMap, { namespace, name: 'a' });
      expect((now as Loose)['data']).toEqual({ ours: '1', theirs: '1' });
    });

    it('R16 returns the resulting object of a dry run', async () => {
      const { cluster, namespace } = await given();
      const there = await cluster.create(ConfigMap, configMap('a', { namespace, data: { a: '1' } }), { manager });
      const wish = configMap('a', { namespace, data: { a: '2' } });
      const options = { manager, dryRun: true, known: () => there };
      const whole = merged(there, wish);
      const answers = [
        await cluster.apply(ConfigMap, wish, options),
        await cluster.apply(ConfigMap, wish, { ...options, whole }),
      ];
      expect(answers.map((answer) => (answer as Loose)['data'])).toEqual([{ a: '2' }, { a: '2' }]);
    });

    it('R22 over another object of the name meets a conflict', async () => {
      const { cluster, namespace } = await given();
      const over = await cluster.create(ConfigMap, configMap('a', { namespace, data: { a: '1' } }), { manager });
      const { uid } = over.metadata;
      await cluster.remove(ConfigMap, { namespace, name: 'a' }, { uid });
      await cluster.create(ConfigMap, configMap('a', { namespace }), other);
      const context = cluster.apply(ConfigMap, configMap('a', { namespace, uid }), { manager, whole: over });
      await expect(context).rejects.toMatchObject({ reason: 'Conflict' });
    });

    it('R28 adds and removes its own finalizer alone', async () => {
      const { cluster, namespace } = await given();
      const mine = (finalizers: string[]) => configMap('a', { namespace, finalizers });
      await cluster.create(ConfigMap, mine(['example.org/theirs']), other);
      const added = await cluster.apply(ConfigMap, mine(['example.org/ours']), { manager });
      expect(added.metadata.finalizers?.toSorted()).toEqual(['example.org/ours', 'example.org/theirs']);
      const removed = await cluster.apply(ConfigMap, mine([]), { manager });
      expect(removed.metadata.finalizers).toEqual(['example.org/theirs']);
    });

    it('R28 of what goes with its finalizer the answer has the version that was there, and no finalizer', async () => {
      const { cluster, namespace } = await given();
      const mine = (finalizers: string[]) => configMap('a', { namespace, finalizers });
      const { metadata } = await cluster.apply(ConfigMap, mine(['example.org/ours']), { manager });
      const ending = await cluster.remove(ConfigMap, metadata, { uid: metadata.uid });
      const last = await cluster.apply(ConfigMap, mine([]), { manager });
      expect(last.metadata).toMatchObject({ uid: metadata.uid, resourceVersion: ending?.metadata.resourceVersion });
      expect(last.metadata.finalizers).toBeUndefined();
      expect(last.metadata.deletionTimestamp).toBeDefined();
      expect(await cluster.read(ConfigMap, { namespace, name: 'a' })).toBeUndefined();
    });

    it.each([
      { precondition: 'the UID of another object', metadata: { uid: '00000000-0000-0000-0000-000000000000' } },
      { precondition: 'an older version', metadata: { resourceVersion: '1' } },
    ])('R22 meets a conflict with $precondition', async ({ metadata }) => {
      const { cluster, namespace } = await given();
      await cluster.create(ConfigMap, configMap('a', { namespace }), { manager });
      const context = cluster.apply(ConfigMap, configMap('a', { namespace, ...metadata }), { manager });
      await expect(context).rejects.toMatchObject({ reason: 'Conflict' });
    });

    it('R22 with a UID does not recreate a deleted object', async () => {
      const { cluster, namespace } = await given();
      const uid = '00000000-0000-0000-0000-000000000000';
      const context = cluster.apply(ConfigMap, configMap('a', { namespace, uid }), { manager });
      await expect(context).rejects.toMatchObject({ reason: 'Conflict' });
    });

    it('R24 of the status changes nothing but the status, and an apply of the object nothing of the status', async () => {
      const { cluster, namespace } = await given();
      const before = await cluster.apply(Ingress, ingress(namespace, { port: 80 }), { manager });
      const told = await cluster.apply(Ingress, ingress(namespace, { port: 81, host: 'a' }), {
        manager,
        subresource: 'status',
      });
      expect(told).toMatchObject({ spec: specOf(before), status: { loadBalancer: { ingress: [{ hostname: 'a' }] } } });
      expect(told.metadata.generation).toBe(1);
      const again = await cluster.apply(Ingress, ingress(namespace, { port: 81, host: 'b' }), { manager });
      expect(again).toMatchObject({ status: { loadBalancer: { ingress: [{ hostname: 'a' }] } } });
      expect(again.metadata.generation).toBe(2);
    });

    it('R24 of the status of a missing object fails with NotFound', async () => {
      const { cluster, namespace } = await given();
      const context = cluster.apply(Ingress, ingress(namespace, { port: 80 }), { manager, subresource: 'status' });
      await expect(context).rejects.toMatchObject({ code: 404, reason: 'NotFound', missing: 'a' });
    });
  });
}

function deployment(namespace: string, env: readonly object[]) {
  const labels = { app: 'a' };
  const containers = [{ name: 'main', image: 'a', ...(env.length > 0 && { env }) }];
  const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a', namespace },
    spec: { ...spec, paused: true, replicas: 0 },
  };
}

/** Nobody but the test writes its status. */
function ingress(namespace: string, { port, host }: { port: number; host?: string }) {
  const spec = { defaultBackend: { service: { name: 'a', port: { number: port } } } };
  const status = { loadBalancer: { ingress: host === undefined ? [] : [{ hostname: host }] } };
  return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'a', namespace }, spec, status };
}

function specOf(object: LiveObject): unknown {
  return (object as Loose)['spec'];
}

function envOf(object: LiveObject): unknown {
  return (object as Loose)['spec'].template.spec.containers[0].env;
}

function managedFieldsOf({ metadata }: LiveObject): unknown {
  return (metadata as { managedFields?: unknown }).managedFields;
}
