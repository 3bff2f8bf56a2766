import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { KafkaHookJob, type KafkaHookJobSpec, kafkaHookJobName, kafkaProblems } from '../../../src/index.js';
import { type Rendered, specOf } from './given-cluster.js';

const restart = {
  ...({ id: 'uid/events-broker-2/r1/preRestart/now', hook: 'preRestart', broker: 2, pod: 'events-broker-2' } as const),
  ...{ interrupted: ['logs-0', 'logs-1'], interruptedPartitions: 2 },
};
const stated = { image: 'registry.example.com/hooks:1', command: ['sh', '-c', './pause'] };

const jobOf = (job: object): KafkaHookJobSpec =>
  specOf({ hooks: { preRestart: { job: { ...stated, ...job } } } }).hooks?.preRestart?.job as KafkaHookJobSpec;

function rendered(job: object = {}, changes: object = {}): Rendered {
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  new KafkaHookJob(chart, 'job', { name: 'events', job: jobOf(job), restart: { ...restart, ...changes } });
  return chart.toJson()[0];
}

const podOf = (job: object = {}) => rendered(job).spec.template;

describe('the Job of a hook', () => {
  it('has a name that follows from the restart and its spec', () => {
    const { metadata } = rendered();
    expect(metadata.name).toMatch(/^events-hook-[0-9a-f]{16}$/);
    expect(metadata.name).toBe(kafkaHookJobName('events', restart.id, jobOf({})));
    expect(rendered({}, { id: 'another' }).metadata.name).not.toBe(metadata.name);
    expect(rendered({ backoffLimit: 0 }).metadata.name).not.toBe(metadata.name);
    expect(`${'c'.repeat(32)}-hook-0123456789abcdef`.length).toBeLessThanOrEqual(63);
  });

  it('stays until the operator has read how it ended', () => {
    expect(rendered().spec).toMatchObject({ backoffLimit: 6, template: { spec: { restartPolicy: 'Never' } } });
    expect(rendered().spec.ttlSecondsAfterFinished).toBeUndefined();
  });

  it('learns what is restarted', () => {
    expect(
      Object.fromEntries(podOf().spec.containers[0].env.map(({ name, value }: Rendered) => [name, value])),
    ).toEqual({
      ...{ HOOK_ID: restart.id, HOOK_NAME: 'preRestart', HOOK_NAMESPACE: 'shop', HOOK_CLUSTER: 'events' },
      ...{ HOOK_BROKER: '2', HOOK_POD: 'events-broker-2', HOOK_INTERRUPTED: 'logs-0,logs-1' },
      HOOK_INTERRUPTED_PARTITIONS: '2',
    });
    expect(rendered({}, { interrupted: [] }).spec.template.spec.containers[0].env).toContainEqual({
      name: 'HOOK_INTERRUPTED',
    });
  });

  it('meets the Pod Security level restricted, with resources and without a token', () => {
    const { spec } = podOf();
    expect(spec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(spec.containers[0].securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true },
    });
    expect(spec.containers[0].resources).toEqual({
      ...{ requests: { cpu: '10m', memory: '64Mi' }, limits: { cpu: '1', memory: '512Mi' } },
    });
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.serviceAccountName).toBeUndefined();
  });

  it('gets the token of a ServiceAccount that a person names, and the rest of the template', () => {
    const podTemplate = {
      ...{ serviceAccountName: 'pauser', labels: { team: 'shop' } },
      ...{ volumes: [{ name: 'login', secret: { secretName: 'shop' } }], securityContext: { runAsUser: 1000 } },
      volumeMounts: [{ name: 'login', mountPath: '/login', readOnly: true }],
    };
    const { metadata, spec } = podOf({ podTemplate });
    expect(spec).toMatchObject({ automountServiceAccountToken: true, serviceAccountName: 'pauser' });
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(spec.volumes.map(({ name }: Rendered) => name)).toEqual(['tmp', 'login']);
    expect(spec.containers[0].volumeMounts.map(({ mountPath }: Rendered) => mountPath)).toEqual(['/tmp', '/login']);
    expect(metadata.labels.team).toBe('shop');
  });

  it('is not selected as a node', () => {
    expect(podOf().metadata.labels).not.toHaveProperty(['reconstruct.dev/kafka-cluster']);
    expect(podOf().metadata.labels['reconstruct.dev/kafka-hook']).toBe('events');
  });
});

it('a hook must not request more than its limits', () => {
  const resources = { requests: { memory: '1Gi' }, limits: { memory: '128Mi' } };
  expect(kafkaProblems(specOf({ hooks: { postRestart: { job: { ...stated, resources } } } }))).toEqual([
    expect.stringMatching(/^hooks.postRestart.job.resources.requests.memory: Invalid value/),
  ]);
});
