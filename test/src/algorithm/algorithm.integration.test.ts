import { describe, expect, test } from 'vitest';
import type { AlgorithmProps, Manifest } from '../../../src/index.js';
import { freshNamespace, givenControlPlane } from '../../given/control-plane.js';
import { appliedOn } from '../given-applied.js';
import { everyTemplateField } from '../given-pod-template.js';
import { only, renderedAlgorithm, renderedInOperator } from '../given-rendered.js';

const everything: AlgorithmProps = {
  image: 'registry.example.com/server:1',
  command: ['serve', ''],
  args: ['--fast'],
  config: JSON.parse('{"a.yaml":"","constructor":"c","__proto__":"p","toString":"t"}'),
  port: 9000,
  probes: { path: '/ready', startupSeconds: 61, periodSeconds: 7, timeoutSeconds: 3, failureThreshold: 5 },
  resources: { requests: { cpu: '1500m', memory: '1024Mi' }, gpu: 'nvidia.com/gpu', gpuCount: 1000 },
  scaling: { minReplicas: 1, maxReplicas: 10, targetCpuPercent: 100 },
  metrics: { path: '/m', port: 80 },
  podTemplate: everyTemplateField,
  terminationGracePeriodSeconds: 1,
};

const cases: readonly (readonly [what: string, name: string, props: Partial<AlgorithmProps>])[] = [
  ['nothing but an image', 'reco', {}],
  ['every field', 'reco', everything],
  ['no replicas', 'reco', { replicas: 0 }],
  [
    'empty lists and maps',
    'reco',
    { podTemplate: { env: [], volumes: [], nodeSelector: {}, tolerations: [] }, config: {}, command: [] },
  ],
  ['a name of 253 characters with dots', `${'a-very.long-name.'.repeat(14)}with-the-end.ok`, everything],
  ['a name that begins with a digit', '3d.v2', everything],
];

describe('the objects of an Algorithm', () => {
  test.each(cases)('with %s are stored as they are rendered', async (_, name, props) => {
    const controlPlane = givenControlPlane();
    const objects = renderedInOperator(name, { ...props, namespace: await freshNamespace(controlPlane) });
    const stored = await appliedOn(controlPlane, objects);
    // A subset in depth: what the API server fills in is its own, what we render must be there unchanged.
    expect(stored).toMatchObject(objects);
  });

  test('are not written again by a second apply', async () => {
    const controlPlane = givenControlPlane();
    const objects = renderedAlgorithm('reco', { ...everything, namespace: await freshNamespace(controlPlane) });
    // The generation counts changes of the spec: those of the status are the business of others.
    const generations = async () =>
      (await appliedOn(controlPlane, objects)).map((object) => object['metadata'].generation);
    expect(await generations()).toEqual(await generations());
  });

  test('have pods that a namespace of Pod Security level restricted admits', async () => {
    const controlPlane = givenControlPlane();
    const namespace = await freshNamespace(controlPlane);
    const level = 'pod-security.kubernetes.io/enforce=restricted';
    await controlPlane.kubectl(['label', 'namespace', namespace, level]);
    const { template } = only(renderedAlgorithm('reco', { ...everything, metrics: {} }), 'Deployment')['spec'];
    const pod = (change = {}): Manifest => {
      const manifest = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod', namespace }, ...template, ...change };
      return { ...manifest, metadata: { ...template.metadata, name: 'pod', namespace } };
    };
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reader', namespace } };
    await appliedOn(controlPlane, [account]);
    const privileged = { spec: { ...template.spec, securityContext: {} } };
    await expect(appliedOn(controlPlane, [pod(privileged)])).rejects.toThrow('violates PodSecurity');
    await expect(appliedOn(controlPlane, [pod()])).resolves.toHaveLength(1);
  });
});
