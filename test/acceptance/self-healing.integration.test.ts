import { describe, expect, test, vi } from 'vitest';
import type { AlgorithmSpecInput } from '../../imports/index.js';
import {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  type ObjectKind,
  PodDisruptionBudget,
  Service,
} from '../../operator/index.js';
import type { PatchOperation } from '../../operator/runtime/ports/cluster.js';
import { givenControlPlane } from '../given/control-plane.js';
import { quiet } from './given/audit.js';
import { type Child, changedPaths } from './given/comparable.js';
import { givenOperator } from './given/operator.js';
import { childKinds, Site } from './given/site.js';

const spec: AlgorithmSpecInput = {
  image: 'server:1',
  podTemplate: { env: [{ name: 'A', value: 'a' }] },
  config: { 'a.yaml': 'a' },
  scaling: { maxReplicas: 5 },
};
const { scaling: _, ...fixed } = spec;

const container = '/spec/template/spec/containers/0';
const replace = (path: string, value: unknown): PatchOperation => ({ op: 'replace', path, value });
const add = (path: string, value: unknown): PatchOperation => ({ op: 'add', path, value });
const remove = (path: string): PatchOperation => ({ op: 'remove', path });

givenOperator(givenControlPlane);

/** A site with an Algorithm at rest. */
async function settledSite(wanted: AlgorithmSpecInput): Promise<Site> {
  const site = await Site.fresh(givenControlPlane(), 'healing');
  await site.bring('reco', wanted);
  await quiet(site.controlPlane, site.namespace);
  return site;
}

/** Lists are dear to the API server that all of these tests share. */
async function untilAsBefore(site: Site, earlier: Readonly<Record<string, Child>>): Promise<void> {
  await vi.waitFor(async () => expect(changedPaths(earlier, await site.children())).toEqual([]), {
    timeout: 120_000,
    interval: 300,
  });
}

describe('a child that somebody deletes comes back', () => {
  test.concurrent.each(childKinds)('$kind', async (kind) => {
    const site = await settledSite(spec);
    const [earlier, before] = [await site.children(), await site.read(kind, 'reco')];
    await site.remove(kind, 'reco');
    await untilAsBefore(site, earlier);
    expect((await site.read(kind, 'reco'))?.metadata.uid).not.toBe(before?.metadata.uid);
  });
});

/** What is undone, by the way in which somebody did it. */
const edits: readonly (readonly [what: string, kind: ObjectKind, edit: PatchOperation])[] = [
  ['a file', ConfigMap, replace('/data/a.yaml', 'x')],
  ['a file taken away', ConfigMap, remove('/data')],
  ['a selector', Service, replace('/spec/selector/app.kubernetes.io~1instance', 'other')],
  ['a target port', Service, replace('/spec/ports/0/targetPort', 9999)],
  ['an image', Deployment, replace(`${container}/image`, 'server:2')],
  ['a variable', Deployment, replace(`${container}/env/0/value`, 'x')],
  ['the strategy', Deployment, replace('/spec/strategy', { type: 'Recreate' })],
  ['a security setting', Deployment, replace(`${container}/securityContext/readOnlyRootFilesystem`, false)],
  [
    'the hash of the configuration',
    Deployment,
    replace('/spec/template/metadata/annotations/ai.alien6.io~1config-hash', 'x'),
  ],
  ['a budget', PodDisruptionBudget, replace('/spec/maxUnavailable', 0)],
  ['the most of replicas', HorizontalPodAutoscaler, replace('/spec/maxReplicas', 99)],
  ['a label', Deployment, remove('/metadata/labels/app.kubernetes.io~1name')],
  ['the controller’s label', Deployment, remove('/metadata/labels/reconstruct.dev~1controller')],
  ['another controller’s label', Service, replace('/metadata/labels/reconstruct.dev~1controller', 'other')],
  ['the mark of the wish', Service, replace('/metadata/annotations/reconstruct.dev~1applied', 'x')],
  ['all annotations', ConfigMap, remove('/metadata/annotations')],
  ['the owner', ConfigMap, remove('/metadata/ownerReferences')],
  ['the owner as controller', Service, replace('/metadata/ownerReferences/0/controller', false)],
];

describe('an edit of what the operator states is undone', () => {
  test.concurrent.each(edits)('%s', async (_, kind, edit) => {
    const site = await settledSite(spec);
    const earlier = await site.children();
    const edited = await site.patch(kind, 'reco', edit);
    // Something is written, or it would look as before because nothing was done.
    const version = async () => (await site.read(kind, 'reco'))?.metadata.resourceVersion;
    await vi.waitFor(async () => expect(await version()).not.toBe(edited.metadata.resourceVersion), {
      timeout: 120_000,
    });
    await untilAsBefore(site, earlier);
    expect((await site.read(kind, 'reco'))?.metadata.uid).toBe(edited.metadata.uid);
  });

  test('the number of replicas, while nothing scales', async () => {
    const site = await settledSite({ ...fixed, replicas: 2 });
    const { metadata } = await site.patch(Deployment, 'reco', replace('/spec/replicas', 7));
    const deployment = () => site.read(Deployment, 'reco');
    await expect.poll(async () => (await deployment())?.metadata.generation).toBe((metadata.generation ?? 0) + 1);
    expect(await deployment()).toMatchObject({ spec: { replicas: 2 } });
  });
});

const sidecar = { name: 'sidecar', image: 'sidecar:1' };
/** What others may add, and where it is found again. */
const additions: readonly (readonly [what: string, kind: ObjectKind, edit: PatchOperation, found: object])[] = [
  ['a label', Deployment, add('/metadata/labels/team', 'a'), { metadata: { labels: { team: 'a' } } }],
  ['an annotation', Service, add('/metadata/annotations/note', 'a'), { metadata: { annotations: { note: 'a' } } }],
  [
    'a finalizer',
    ConfigMap,
    add('/metadata/finalizers', ['example.com/f']),
    { metadata: { finalizers: ['example.com/f'] } },
  ],
  ['a file', ConfigMap, add('/data/b.yaml', 'b'), { data: { 'b.yaml': 'b' } }],
  ['a type of Service', Service, replace('/spec/type', 'NodePort'), { spec: { type: 'NodePort' } }],
  ['a number of replicas, as autoscalers set', Deployment, replace('/spec/replicas', 4), { spec: { replicas: 4 } }],
  ['a history', Deployment, replace('/spec/revisionHistoryLimit', 3), { spec: { revisionHistoryLimit: 3 } }],
  [
    'an annotation of the pods, as kubectl rollout restart does',
    Deployment,
    add('/spec/template/metadata/annotations/restarted', 'now'),
    { spec: { template: { metadata: { annotations: { restarted: 'now' } } } } },
  ],
  [
    'a container, as service meshes do',
    Deployment,
    add('/spec/template/spec/containers/-', sidecar),
    { spec: { template: { spec: { containers: [{}, sidecar] } } } },
  ],
  [
    'a variable',
    Deployment,
    add(`${container}/env/-`, { name: 'B', value: 'b' }),
    { spec: { template: { spec: { containers: [{ env: [{ name: 'A' }, { name: 'B', value: 'b' }] }] } } } },
  ],
];

describe('what others add stays, and is fought by nobody', () => {
  test.concurrent.each(additions)('%s', async (_, kind, edit, found) => {
    const site = await settledSite(spec);
    const audit = await quiet(site.controlPlane, site.namespace);
    await site.patch(kind, 'reco', edit);
    await quiet(site.controlPlane, site.namespace);
    expect((await audit.writes(site.namespace)).filter((write) => !write.includes('/status'))).toEqual([]);

    await site.bring('reco', {
      ...spec,
      image: 'server:2',
      port: 9000,
      config: { 'a.yaml': 'c' },
      podTemplate: { env: [{ name: 'A', value: 'c' }] },
    });
    expect(await site.read(kind, 'reco')).toMatchObject(found);
  });
});
