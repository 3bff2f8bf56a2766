import { describe, expect, test } from 'vitest';
import { allKinds } from '../../../crds/index.js';
import { defaults } from '../../../operator/config/config.js';
import { configuredControllers } from '../../../operator/controllers/configured.js';
import { etcdCluster } from '../../../operator/controllers/etcd/index.js';
import { controllers } from '../../../operator/controllers/index.js';
import { templatePlaces } from '../../../operator/images/pull-secrets.js';
import type { Manifest } from '../../../operator/index.js';
import { imageIn } from '../../../src/index.js';
import type { Loose } from '../../given.js';
import { cases } from '../../rendered/all-cases.js';
import { allSystems } from '../../rendered/all-systems.js';
import { type RenderedCase, resource } from '../../rendered/rendered-case.js';
import { World } from '../../rendered/world.js';

const imageRegistry = 'registry.example.com:5000/mirror';
const secret = 'mirror-credentials';
const place = { namespace: 'reconstruct-system' };
const gateway = {
  ...{ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway', metadata: { name: 'front', namespace: 'shop' } },
  spec: { gatewayClassName: 'reconstruct', listeners: [] },
} as Manifest;

/** The cases of all kinds that an operator runs by itself, and of kinds that only other operators run. */
const all: readonly RenderedCase[] = [
  ...cases,
  { name: 'etcd', objects: [resource('EtcdCluster', 'store', { storage: { size: '1Gi' } })] },
  { name: 'gateway', objects: [gateway] },
];

type Pod = { readonly of: string; readonly spec: Loose<object> };

/** The Pods and Pod templates in an object. */
function podsIn(object: Manifest): readonly Pod[] {
  const of = `${object.kind} ${object.metadata.name}`;
  const found: Pod[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { containers } = value as Loose<object>;
    if (Array.isArray(containers)) found.push({ of, spec: value as Loose<object> });
    for (const part of Object.values(value)) look(part);
  };
  look((object as Loose<Manifest>)['spec']);
  return found;
}

const isPodObject = ({ apiVersion }: Manifest) => /^(v1|apps\/v1|batch\/v1)$/.test(apiVersion);

/** The case as a person writes it in a cluster with a mirror: each stated image comes from there. */
function mirrored<T>(value: T): T {
  if (Array.isArray(value)) return value.map(mirrored) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    name === 'image' && typeof field === 'string' ? imageIn(imageRegistry, field) : mirrored(field),
  ]);
  return Object.fromEntries(fields);
}

/** Cases whose edits bring other Pods than their first objects: those of trials, hooks and further backups. */
const edited: readonly string[] = ['algorithm-trial', 'kafka-listeners', 'database-volume-backup'];

/** All Pods that the operator renders in a case. */
async function podsOf({ name, objects, edits = {} }: RenderedCase): Promise<readonly Pod[]> {
  const options = { ...defaults, imageRegistry, imagePullSecrets: [secret] };
  const running = configuredControllers(options, place, [...controllers, etcdCluster]);
  const world = new World(allSystems(), true, running);
  await world.start();
  for (const written of [objects, ...(edited.includes(name) ? Object.values(edits) : [])]) {
    for (const object of written) await world.apply(mirrored(object));
    await world.settle();
  }
  const pods = world.cluster.sent
    .map(({ object }) => object)
    .filter(isPodObject)
    .flatMap(podsIn);
  await world.close();
  return pods;
}

const kindsOf = ({ objects, edits = {} }: RenderedCase) =>
  [...objects, ...Object.values(edits).flat()].map(({ kind }) => kind);
const withPods = allKinds.filter((kind) => templatePlaces(kind).length > 0).map(({ kind }) => kind);

describe('an operator with a registry and a pull secret', () => {
  test('has a case for each kind with Pods', () => {
    expect(withPods.length).toBeGreaterThan(4);
    const covered = new Set(all.flatMap(kindsOf));
    expect(withPods.filter((kind) => !covered.has(kind))).toEqual([]);
  });

  test.each(all)('renders each Pod with both: $name', async (one) => {
    const pods = await podsOf(one);
    if (kindsOf(one).some((kind) => [...withPods, 'Gateway'].includes(kind))) expect(pods).not.toEqual([]);
    const images = pods.flatMap(({ of, spec }) =>
      [...spec['containers'], ...(spec['initContainers'] ?? [])].map(({ image }) => `${of}: ${image}`),
    );
    expect(images.filter((image) => !image.includes(`: ${imageRegistry}/`))).toEqual([]);
    const bare = pods.filter(
      ({ spec }) => JSON.stringify(spec['imagePullSecrets']) !== JSON.stringify([{ name: secret }]),
    );
    expect(bare.map(({ of }) => of)).toEqual([]);
  });
});
