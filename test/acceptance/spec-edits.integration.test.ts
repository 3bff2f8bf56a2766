import { describe, expect, test } from 'vitest';
import type { AlgorithmSpecInput } from '../../imports/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { changedPaths } from './given/comparable.js';
import { givenOperator } from './given/operator.js';
import { Site } from './given/site.js';

const before: AlgorithmSpecInput = {
  image: 'server:1',
  replicas: 2,
  podTemplate: {
    env: [
      { name: 'A', value: 'a' },
      { name: 'B', value: 'b' },
    ],
    nodeSelector: { disk: 'ssd' },
  },
  config: { 'a.yaml': 'a', 'b.yaml': 'b' },
  probes: { path: '/ready' },
};
const scaling = { minReplicas: 2, maxReplicas: 5 };
const scaled = { ...before, scaling };

const pods = 'Deployment reco.spec.template.spec';
const container = `${pods}.containers.algorithm`;
const hash = 'Deployment reco.spec.template.metadata.annotations.ai.alien6.io/config-hash';
const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'].map((probe) => `${container}.${probe}`);

type Edit = Partial<AlgorithmSpecInput>;
type Row = readonly [edit: string, follow: readonly string[], to: Edit, from?: AlgorithmSpecInput];

/** The template of `before` with other fields. */
const template = (change: object): Edit => ({ podTemplate: { ...before.podTemplate, ...change } });

/** What is undefined in `to` is stated no longer. Fields that go were created by POST, so they must be given up. */
const edits: readonly Row[] = [
  [
    'another image',
    ['Deployment reco.metadata.labels.app.kubernetes.io/version', `${container}.image`],
    { image: 'server:2' },
  ],
  ['another number of replicas', ['Deployment reco.spec.replicas'], { replicas: 3 }],
  ['another port', [`${container}.ports.http.containerPort`], { port: 9000 }],
  [
    'another value of a variable',
    [`${container}.env.B.value`],
    template({
      env: [
        { name: 'A', value: 'a' },
        { name: 'B', value: 'c' },
      ],
    }),
  ],
  ['one variable less', [`${container}.env.B`], template({ env: [{ name: 'A', value: 'a' }] })],
  ['no variables', [`${container}.env`], template({ env: undefined })],
  ['another file', ['ConfigMap reco.data.b.yaml', hash], { config: { 'a.yaml': 'a', 'b.yaml': 'c' } }],
  ['one file less', ['ConfigMap reco.data.b.yaml', hash], { config: { 'a.yaml': 'a' } }],
  [
    'no files',
    [
      'ConfigMap reco.data',
      'Deployment reco.spec.template.metadata.annotations',
      `${container}.volumeMounts.config`,
      `${pods}.volumes.config`,
    ],
    { config: undefined },
  ],
  ['probes without a path', probes.flatMap((probe) => [`${probe}.httpGet`, `${probe}.tcpSocket`]), { probes: {} }],
  ['no node selector', [`${pods}.nodeSelector`], template({ nodeSelector: undefined })],
  [
    'more memory',
    [`${container}.resources.limits.memory`, `${container}.resources.requests.memory`],
    { resources: { requests: { memory: '1Gi' } } },
  ],
  [
    'a GPU',
    ['limits', 'requests'].map((kind) => `${container}.resources.${kind}.nvidia.com/gpu`),
    { resources: { gpu: 'nvidia.com/gpu' } },
  ],
  // It says of which version its pods are.
  ['a lifecycle', ['Deployment reco.metadata.annotations'], { lifecycle: {} }],
  ['scaling', ['HorizontalPodAutoscaler reco'], { scaling }],
  [
    'another most of replicas',
    ['HorizontalPodAutoscaler reco.spec.maxReplicas'],
    { scaling: { ...scaling, maxReplicas: 7 } },
    scaled,
  ],
  [
    'no scaling, another number of replicas',
    ['Deployment reco.spec.replicas', 'HorizontalPodAutoscaler reco'],
    { scaling: undefined, replicas: 4 },
    scaled,
  ],
];

givenOperator(givenControlPlane);

describe('an edited spec changes what follows from it and nothing else', () => {
  const rows = edits.map(([edit, follow, to, from = before]) => [edit, follow, to, from] as const);
  test.concurrent.each(rows)('%s', async (_, follow, to, from) => {
    const site = await Site.fresh(givenControlPlane(), 'following');
    await site.bring('reco', from);

    const earlier = await site.children();
    await site.bring('reco', { ...from, ...to });
    expect(changedPaths(earlier, await site.children()).toSorted()).toEqual([...follow].sort());
  });
});
