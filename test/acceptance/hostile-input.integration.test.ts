import { describe, expect, test, vi } from 'vitest';
import type { AlgorithmSpecInput } from '../../imports/index.js';
import { ConfigMap, ControllerRevision, Deployment, type Manifest } from '../../operator/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { forbiddenImage, forbiddenMessage, forbidImages } from './given/image-policy.js';
import { givenOperator } from './given/operator.js';
import { childKinds, Site } from './given/site.js';
import { warnings } from './given/warnings.js';

givenOperator(givenControlPlane);

const spec: AlgorithmSpecInput = { image: 'server:1', scaling: { maxReplicas: 2 } };
/** Keys that objects of JavaScript have a meaning for, in the API server's order. */
const keys: Readonly<Record<string, string>> = JSON.parse('{"__proto__":"p","constructor":"c","toString":"t"}');
const { ['__proto__']: _, ...labels } = keys;
const long = 'a-very.long-name.'.repeat(14);

/** What works, however odd: the kind and name of an object, and what is found in it. */
const odd: readonly (readonly [
  what: string,
  name: string,
  spec: AlgorithmSpecInput,
  found: (site: Site) => Promise<unknown>,
  value: unknown,
])[] = [
  ['a name of 253 characters with dots', `${long}with-the-end.ok`, spec, async () => 0, 0],
  ['a name that begins with a digit', '3d.v2', spec, async () => 0, 0],
  ['keys of files', 'reco', { ...spec, config: keys }, (site) => field(site, ConfigMap, 'data'), keys],
  [
    'labels of nodes',
    'reco',
    { ...spec, podTemplate: { nodeSelector: labels } },
    async (site) => (await pod(site)).nodeSelector,
    labels,
  ],
  [
    'a value of a variable in many scripts',
    'reco',
    { ...spec, podTemplate: { env: [{ name: 'A', value: 'naïve 東京 🚀 \t\n"\\' }] } },
    async (site) => (await pod(site)).containers[0].env[0].value,
    'naïve 東京 🚀 \t\n"\\',
  ],
  ['files of 240 kB', 'reco', { ...spec, config: { a: 'x'.repeat(245_000) } }, async () => 0, 0],
];

// biome-ignore lint/suspicious/noExplicitAny: a path into an object of any kind has no better type
async function field(site: Site, kind: typeof ConfigMap | typeof Deployment, name: string): Promise<any> {
  return ((await site.read(kind, 'reco')) as unknown as Record<string, unknown>)[name];
}

async function pod(site: Site) {
  return (await field(site, Deployment, 'spec')).template.spec;
}

describe('what is odd works', () => {
  test.concurrent.each(odd)('R34 † %s', async (_, name, oddSpec, found, value) => {
    const site = await Site.fresh(givenControlPlane(), 'hostile');
    await site.bring(name, oddSpec);
    expect((await site.owned()).size).toBe(childKinds.length);
    expect(JSON.stringify(await found(site))).toBe(JSON.stringify(value));
  });

  test('R34 † names that differ only after the 63rd character have objects of their own', async () => {
    const site = await Site.fresh(givenControlPlane(), 'hostile');
    const names = ['a', 'b', 'c'].map((end) => `${'x'.repeat(70)}${end}`);
    await Promise.all(names.map((name) => site.bring(name, spec)));
    expect((await site.owned()).size).toBe(names.length * childKinds.length);
  });
});

/** What cannot work: who says so, and how. */
const refused: readonly (readonly [what: string, message: string | RegExp, spec: AlgorithmSpecInput])[] = [
  ['files of 900 kB', 'Too long: may not be more than 245760', { ...spec, config: { a: 'x'.repeat(900_000) } }],
  [
    'files of 900 kB together',
    'use at most 245760 characters in all files together',
    { ...spec, config: Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, 'x'.repeat(225_000)])) },
  ],
  [
    'a label of nodes that is none',
    'key __proto__ must be a label name',
    { ...spec, podTemplate: { nodeSelector: keys } },
  ],
  [
    'a GPU with a name of 64 characters',
    'spec.resources.gpu: Invalid value',
    { ...spec, resources: { gpu: `nvidia.com/${'x'.repeat(64)}` } },
  ],
];

describe('what cannot work is refused by the API server', () => {
  test.each(refused)('R34 † %s', async (_, message, wrong) => {
    const site = await Site.fresh(givenControlPlane(), 'hostile');
    await expect(site.apply('reco', wrong)).rejects.toThrow(message);
  });
});

test('R34 † what is nested 3,500 levels deep goes as any other, and stops nobody', async () => {
  const site = await Site.fresh(givenControlPlane(), 'hostile');
  const { apiVersion, kind, metadata } = await site.bring('reco', spec);
  let data: object = {};
  for (let level = 0; level < 3_500; level++) data = { a: data };
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true };
  const named = { name: 'deep', namespace: site.namespace };
  const labels = { 'reconstruct.dev/controller': 'trial' };
  const ours = { ...named, labels, ownerReferences: [owner] };
  const revision = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: ours, revision: 1, data };
  await site.cluster.create(ControllerRevision, revision as unknown as Manifest, { manager: 'somebody' });
  await site.bring('other', { ...spec, lifecycle: { canaryWeight: 10 } });
  await vi.waitFor(async () => expect(await site.cluster.read(ControllerRevision, named)).toBeUndefined(), 120_000);
  expect(await site.condition('reco', 'Accepted')).toBe('True Valid');
});

test('R34 † what the API server refuses of a child is said, leaves what runs, and stops nobody', async () => {
  const site = await Site.fresh(givenControlPlane(), 'hostile');
  await forbidImages(site.controlPlane);
  await site.bring('reco', spec);
  const before = await site.read(Deployment, 'reco');
  await site.apply('reco', { ...spec, image: forbiddenImage });
  await vi.waitFor(async () => expect(await site.condition('reco', 'Ready')).toBe('False ApplyRejected'), {
    timeout: 120_000,
  });
  await vi.waitFor(async () => expect((await warnings(site, 'reco')).join()).toContain(forbiddenMessage), {
    timeout: 120_000,
  });
  expect((await site.read(Deployment, 'reco'))?.metadata.generation).toBe(before?.metadata.generation);

  await site.bring('other', spec);
  await site.bring('reco', { ...spec, image: 'server:3' });
  expect((await pod(site)).containers[0].image).toBe('server:3');
  expect(await site.condition('reco', 'Stalled')).toBeUndefined();
});
