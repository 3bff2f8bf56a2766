import { describe, expect, test, vi } from 'vitest';
import type { AlgorithmSpecInput } from '../../imports/index.js';
import { Deployment, type ObjectKind, Service } from '../../operator/index.js';
import { stringifyYaml } from '../../operator/yaml/stringify-yaml.js';
import { givenControlPlane } from '../given/control-plane.js';
import { Audit, quiet } from './given/audit.js';
import { givenOperator } from './given/operator.js';
import { childKinds, Site } from './given/site.js';
import { warnings } from './given/warnings.js';

const spec: AlgorithmSpecInput = { image: 'server:1', config: { a: 'a' }, scaling: { maxReplicas: 5 } };

givenOperator(givenControlPlane);

/** What the API server lets nobody write, and what it says to who tries. */
const refused: readonly (readonly [what: string, message: string, spec: Record<string, unknown>])[] = [
  ['no image', 'spec.image: Required value', {}],
  ['an empty image', 'spec.image in body should be at least 1 chars long', { image: '' }],
  [
    'more least than most replicas',
    'minReplicas 5 must be at most maxReplicas 2; lower minReplicas or raise maxReplicas',
    { image: 'a', scaling: { minReplicas: 5, maxReplicas: 2 } },
  ],
  [
    'GPUs of no kind',
    'must be set if gpuCount is set; use the name of the extended resource',
    { image: 'a', resources: { gpuCount: 2 } },
  ],
  [
    'a weight above 100',
    'spec.lifecycle.canaryWeight in body should be less than or equal to 100',
    { image: 'a', lifecycle: { canaryWeight: 101 } },
  ],
  [
    'a threshold above 1',
    'spec.lifecycle.successThreshold in body should be less than or equal to 1',
    { image: 'a', lifecycle: { successThreshold: 1.5 } },
  ],
  [
    'two values of a variable',
    'must not have both value and valueFrom',
    {
      image: 'a',
      podTemplate: { env: [{ name: 'A', value: 'a', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] },
    },
  ],
  ['a path as the name of a file', 'key a/b must be a file name', { image: 'a', config: { 'a/b': 'c' } }],
  ['a field that is none', 'unknown field "spec.imgae"', { image: 'a', imgae: 'b' }],
];

describe('what the API server refuses', () => {
  test.each(refused)('%s: %s', async (_, message, wrong) => {
    const site = await Site.fresh(givenControlPlane(), 'refusing');
    const resource = { apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata: { name: 'reco' }, spec: wrong };
    const command = ['apply', '-n', site.namespace, '-f', '-'];
    const { code, stderr } = await site.controlPlane.kubectl(command, { input: stringifyYaml(resource) });
    expect(stderr).toContain(message);
    expect(code).toBe(1);
  });
});

describe('an object of somebody else that has the name', () => {
  const others: readonly (readonly [ObjectKind, object])[] = [
    [Service, { ports: [{ name: 'other', port: 1234 }] }],
    [
      Deployment,
      {
        selector: { matchLabels: { app: 'other' } },
        template: { metadata: { labels: { app: 'other' } }, spec: { containers: [{ name: 'other', image: 'other' }] } },
      },
    ],
  ];

  /** A site where the name is taken before the Algorithm comes. */
  async function taken(kind: ObjectKind, otherSpec: object): Promise<{ site: Site; version: string | undefined }> {
    const site = await Site.fresh(givenControlPlane(), 'refusing');
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
    const object = {
      apiVersion,
      kind: kind.kind,
      metadata: { name: 'reco', namespace: site.namespace },
      spec: otherSpec,
    };
    await site.cluster.create(kind, object, { manager: 'somebody' });
    await quiet(site.controlPlane, site.namespace);
    const { metadata } = (await site.read(kind, 'reco')) ?? {};
    await site.bring('reco', spec);
    return { site, version: metadata?.resourceVersion };
  }

  test.concurrent.each(others)(
    '$kind is left alone and named, and once it is gone ours comes with the next look',
    async (kind, otherSpec) => {
      const { site, version } = await taken(kind, otherSpec);
      expect(await site.condition('reco', 'Conflicted')).toBe('True NotOwned');
      expect(await site.condition('reco', 'Ready')).toBe('False NotOwned');
      const note = new RegExp(
        `^NotOwned: ${kind.kind} reco was not created by this Algorithm: delete it, or annotate it`,
      );
      await vi.waitFor(async () => expect(await warnings(site, 'reco')).toEqual([expect.stringMatching(note)]), {
        timeout: 120_000,
      });
      expect((await site.read(kind, 'reco'))?.metadata.resourceVersion).toBe(version);

      await site.remove(kind, 'reco');
      await site.bring('reco', { ...spec, image: 'server:2' });
      await vi.waitFor(async () => expect((await site.owned()).size).toBe(childKinds.length), { timeout: 120_000 });
      expect(await site.condition('reco', 'Conflicted')).toBeUndefined();
    },
  );

  test('is taken over when a person says so on it', async () => {
    const { site } = await taken(Service, { ports: [{ name: 'other', port: 1234 }] });
    const before = await site.read(Service, 'reco');
    const annotations = { 'reconstruct.dev/adopt-by': `${site.namespace}/reco` };
    await site.patch(Service, 'reco', { op: 'add', path: '/metadata/annotations', value: annotations });
    await site.bring('reco', { ...spec, image: 'server:2' });
    const owned = async () => (await site.owned()).get('Service reco');
    await vi.waitFor(async () => expect((await owned())?.metadata.uid).toBe(before?.metadata.uid), {
      timeout: 120_000,
    });
    expect(await site.condition('reco', 'Conflicted')).toBeUndefined();
  });

  test('is never written to, however often it is looked at', async () => {
    const { site } = await taken(Service, { ports: [{ name: 'other', port: 1234 }] });
    const audit = await Audit.from(site.controlPlane);
    await site.bring('reco', { ...spec, port: 9000 });
    await site.bring('reco', { ...spec, port: 9001 });
    const writes = (await audit.writes(site.namespace)).filter((write) =>
      /^(patch|update|delete) services/.test(write),
    );
    expect(writes).toEqual([]);
  });
});
