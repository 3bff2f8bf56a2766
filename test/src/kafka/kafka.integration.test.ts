import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import {
  KafkaHookJob,
  type KafkaHookJobSpec,
  KafkaNodeClaim,
  KafkaNodePod,
  kafkaImage,
  type Manifest,
} from '../../../src/index.js';
import { freshNamespace, givenControlPlane } from '../../given/control-plane.js';
import { appliedOn } from '../given-applied.js';
import { least, type Rendered, specOf } from './given-cluster.js';

/** In a namespace that admits restricted Pods alone. */
async function restrictedNamespace(): Promise<string> {
  const controlPlane = givenControlPlane();
  const namespace = await freshNamespace(controlPlane);
  await controlPlane.kubectl(['label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted']);
  return namespace;
}

const account = (namespace: string, name: string) =>
  ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } }) as Manifest;

describe('the API server stores as it is rendered', () => {
  test.each([
    { what: 'with little', hasToken: false, job: { image: 'hooks:1' } },
    {
      what: 'with every option',
      hasToken: true,
      job: {
        ...{ image: 'hooks:1', command: ['sh', '/scripts/pause.sh'], backoffLimit: 0 },
        resources: { requests: { cpu: 1 }, limits: { memory: '1024Mi' } },
        podTemplate: {
          ...{ labels: { team: 'shop' }, annotations: { 'sidecar.istio.io/inject': 'false' } },
          env: [
            { name: 'TOPIC', value: '' },
            { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
          ],
          volumes: [
            { name: 'scripts', configMap: { name: 'scripts' } },
            { name: 'login', secret: { secretName: 'shop', optional: true } },
            { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '1024Mi' } },
          ],
          volumeMounts: [
            { name: 'scripts', mountPath: '/scripts', readOnly: true },
            { name: 'login', mountPath: '/login' },
          ],
          ...{ serviceAccountName: 'pauser', imagePullSecrets: [{ name: 'registry' }] },
          securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
        },
      },
    },
  ])('the Job of a hook $what, whose Pod is admitted', async ({ job, hasToken }) => {
    const namespace = await restrictedNamespace();
    const stated = specOf({ hooks: { preRestart: { job } } }).hooks?.preRestart?.job as KafkaHookJobSpec;
    const chart = new Chart(new App(), 'chart', { namespace });
    const restart = { id: 'uid/events-broker-0/r1/preRestart/now', hook: 'preRestart' as const, broker: 0 };
    const about = { pod: 'events-broker-0', interrupted: [], interruptedPartitions: 0 };
    new KafkaHookJob(chart, 'job', { name: 'events', job: stated, restart: { ...restart, ...about } });
    const [rendered]: Rendered[] = chart.toJson();
    const { metadata, spec } = rendered.spec.template;
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'hook', namespace, ...metadata }, spec };
    const accounts = [account(namespace, 'default'), account(namespace, 'pauser')];
    const [, , asJob, asPod] = await appliedOn(givenControlPlane(), [...accounts, rendered, pod]);
    expect(asJob).toMatchObject(rendered);
    const volumes: readonly Rendered[] = (asPod as Rendered).spec.volumes;
    expect(volumes.some(({ name }) => name.startsWith('kube-api-access-'))).toBe(hasToken);
  });

  test('a broker with several volumes, and its claims', async () => {
    const namespace = await restrictedNamespace();
    const additionalVolumes = [
      { name: 'fast', size: '2048Mi', storageClassName: 'ssd' },
      { name: 'cold', size: '1Ti' },
    ];
    const spec = specOf({ brokers: { storage: { ...least.brokers.storage, additionalVolumes } } });
    const chart = new Chart(new App(), 'chart', { namespace });
    const node = { id: 0, group: 'broker', role: 'broker' as const };
    for (const { name: volume, ...storage } of spec.brokers.storage.additionalVolumes)
      new KafkaNodeClaim(chart, volume, { name: 'events', node, volume, storage, clusterId: 'id' });
    const controllers = [{ id: 1_000, group: 'controller', role: 'controller' as const }];
    new KafkaNodePod(chart, 'pod', {
      ...{ name: 'events', spec, node, image: kafkaImage(spec), clusterId: 'id', controllers },
    });
    const objects = [account(namespace, 'events'), ...chart.toJson()];
    expect(await appliedOn(givenControlPlane(), objects)).toMatchObject(objects);
  });
});
