import { describe, expect, test } from 'vitest';
import { installedOperator } from '../../../cli/check/findings/installed-operator.js';
import { leaderFindings } from '../../../cli/check/findings/leader.js';
import { type OperatorView, operatorFindings } from '../../../cli/check/findings/operator-pods.js';
import { controllers } from '../../../operator/controllers/index.js';
import type { LivePod } from '../../../operator/runtime/kubernetes/kinds.js';
import type { LiveLease } from '../../../operator/runtime/leader/lease.js';
import { givenDeployment, givenFailure, givenPod, linesOf, now, place } from './given-installation.js';

const title = 'Deployment reconstruct-system/reconstruct';
const good = `ok: ${title}: 2 replicas available`;
const describeDeployment = 'Run kubectl --namespace reconstruct-system describe deployment reconstruct';
const partial = `problem: ${title}: 1 of 2 replicas available → ${describeDeployment}`;

const view = (more: Partial<OperatorView>): OperatorView => ({
  ...{ place, deployment: { value: givenDeployment() }, pods: { value: [givenPod()] }, foreign: [] },
  ...{ image: 'registry.alien6.io/reconstruct/operator:1.2.0', version: '1.2.0' },
  ...more,
});
const less = { deployment: { value: givenDeployment({ status: { availableReplicas: 1 } }) } };
const pod = 'Pod reconstruct-system/reconstruct-1';

test.each<[when: string, lines: readonly string[], view: Partial<OperatorView>]>([
  ['all is well', [good], {}],
  [
    'it is not installed',
    [
      `problem: ${title} does not exist → Install the operator (docs/installing.md). If it has another name, set --namespace and --name`,
    ],
    { deployment: { value: undefined } },
  ],
  [
    'the user may not read it',
    [
      `unknown: ${title} cannot be checked: you may not get deployments.apps → Run the command as a user who may get deployments.apps`,
    ],
    { deployment: { missing: 'get deployments.apps' } },
  ],
  [
    'the image is of another version',
    [
      'problem: The operator runs image example.com:5000/mirror/operator:1.1.0, and this command has version 1.2.0 → Run this command in version 1.1.0, or install the operator in version 1.2.0',
      good,
    ],
    { image: 'example.com:5000/mirror/operator:1.1.0' },
  ],
  [
    'the image is of an operator of the user, with a version of its own',
    [good],
    { image: 'example.com/my-operator:7' },
  ],
  ['the image has only a digest', [good], { image: 'example.com/operator@sha256:0' }],
  [
    'it is scaled to 0',
    [
      `problem: ${title} is scaled to 0, so that nothing is reconciled → Run kubectl --namespace reconstruct-system scale deployment reconstruct --replicas=2`,
    ],
    { deployment: { value: givenDeployment({ replicas: 0 }) } },
  ],
  [
    'nothing has observed its spec',
    [
      `problem: ${title} has a spec that no Deployment controller has observed → Check that the kube-controller-manager runs`,
    ],
    { deployment: { value: givenDeployment({ status: { observedGeneration: 0 } }) } },
  ],
  ['a replica is not available', [partial], less],
  [
    'its Pods are refused',
    [`problem: ${title}: 0 of 2 replicas available: exceeded quota → ${describeDeployment}`],
    {
      deployment: {
        value: givenDeployment({
          status: {
            availableReplicas: 0,
            conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' }],
          },
        }),
      },
    },
  ],
  [
    'its image cannot be pulled',
    [
      partial,
      `problem: ${pod}: the image operator:1 cannot be pulled: no such host → Push the image, or set imageRegistry and imagePullSecrets of OperatorInstall (docs/operator/images.md)`,
    ],
    { ...less, pods: { value: [givenFailure({ waiting: { reason: 'ImagePullBackOff', message: 'no such host' } })] } },
  ],
  [
    'the image of a Pod that is being replaced cannot be pulled',
    [partial],
    { ...less, pods: { value: [leaving(givenFailure({ waiting: { reason: 'ImagePullBackOff' } }))] } },
  ],
  [
    'it crashes',
    [
      partial,
      `problem: ${pod}: exited with code 1 (Error): invalid configuration → Run kubectl --namespace reconstruct-system logs reconstruct-1 --previous`,
    ],
    {
      ...less,
      pods: {
        value: [
          givenFailure(
            { waiting: { reason: 'CrashLoopBackOff' } },
            { lastState: { terminated: { exitCode: 1, reason: 'Error', message: 'invalid configuration\n' } } },
          ),
        ],
      },
    },
  ],
  [
    'it has too little memory',
    [
      partial,
      `problem: ${pod}: exited with code 137 (OOMKilled) → Run kubectl --namespace reconstruct-system logs reconstruct-1 --previous, and raise the memory limit in resources`,
    ],
    { ...less, pods: { value: [givenFailure({ terminated: { exitCode: 137, reason: 'OOMKilled' } })] } },
  ],
  [
    'its container cannot be created',
    [
      partial,
      `problem: ${pod}: CreateContainerConfigError: secret "tls" not found → Run kubectl --namespace reconstruct-system describe pod reconstruct-1`,
    ],
    {
      ...less,
      pods: {
        value: [givenFailure({ waiting: { reason: 'CreateContainerConfigError', message: 'secret "tls" not found' } })],
      },
    },
  ],
  [
    'no node has room',
    [
      partial,
      `problem: ${pod}: no node can run it: 0/3 nodes are available → Add a node, or change the requests, nodeSelector or tolerations of OperatorInstall`,
    ],
    {
      ...less,
      pods: {
        value: [
          givenPod({
            conditions: [
              { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes are available' },
            ],
          }),
        ],
      },
    },
  ],
  [
    'it runs controllers of another module',
    [
      good,
      'problem: The operator runs controllers that this command does not know: website → Give the module that exports these controllers with --module',
    ],
    { foreign: ['website'] },
  ],
])('the operator is judged when %s', (_, lines, more) => {
  expect(linesOf(operatorFindings(view(more)))).toEqual(lines);
});

describe('what a Deployment runs', () => {
  const all = controllers.map(({ name }) => name);
  const names = (deployment: Parameters<typeof installedOperator>[0]) =>
    installedOperator(deployment, place, controllers).controllers.map(({ name }) => name);

  test('is all controllers by default', () => {
    expect(names(givenDeployment())).toEqual(all);
    expect(names(undefined)).toEqual(all);
  });

  test.each([
    { given: { args: ['--controllers=kafkatopic,website, database'] } },
    { given: { args: ['--controllers', 'kafkatopic,website, database'] } },
    { given: { args: [], env: [{ name: 'RECONSTRUCT_CONTROLLERS', value: 'kafkatopic,website, database' }] } },
    {
      given: {
        args: ['--controllers=algorithm', '--controllers=kafkatopic,website, database'],
        env: [{ name: 'RECONSTRUCT_CONTROLLERS', value: 'trial' }],
      },
    },
  ])('is what its options name: $given', ({ given }) => {
    const installed = installedOperator(givenDeployment(given), place, controllers);
    expect(installed.controllers.map(({ name }) => name).toSorted()).toEqual(['database', 'kafkatopic']);
    expect(installed.foreign).toEqual(['website']);
  });

  test('in some namespaces are no controllers of cluster-scoped optional kinds', () => {
    const installed = installedOperator(givenDeployment({ args: ['--namespaces=a,b'] }), place, controllers);
    expect(installed.namespaces).toEqual(['a', 'b']);
    expect(all).toContain('clusterissuer');
    expect(installed.controllers.map(({ name }) => name)).not.toContain('clusterissuer');
  });

  test.each<[lease: object | undefined, args: readonly string[]]>([
    [{ namespace: 'reconstruct-system', name: 'reconstruct' }, ['--leader-elect']],
    [{ namespace: 'leases', name: 'mine' }, ['--leader-elect=true', '--lease-name=mine', '--lease-namespace=leases']],
    [{ namespace: 'reconstruct-system', name: 'reconstruct' }, ['--leader-elect', '--lease-name=reconstruct']],
    [undefined, []],
    [undefined, ['--leader-elect=false']],
    [undefined, ['--leader-elect', '--no-leader-elect']],
  ])('has the lease %j by %j', (lease, args) => {
    expect(installedOperator(givenDeployment({ args }), place, controllers).lease).toEqual(lease);
  });
});

describe('the leader', () => {
  const lease = (spec: object): LiveLease =>
    ({
      ...{
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { uid: '1', resourceVersion: '1', ...place },
      },
      spec,
    }) as LiveLease;
  const held = { holderIdentity: 'reconstruct-1_5f', leaseDurationSeconds: 15 };
  const at = (seconds: number) => new Date(now - 1_000 * seconds).toISOString();
  const logs = 'Run kubectl --namespace reconstruct-system logs deployment/reconstruct';
  const clock = `${logs}. If the operator runs, compare the clock of this machine with the clock of the cluster`;
  const named = 'Lease reconstruct-system/reconstruct';

  test.each<[lines: string, when: string, lease: LiveLease | undefined]>([
    ['ok: Pod reconstruct-1 leads', 'the Lease was just renewed', lease({ ...held, renewTime: at(1) })],
    ['ok: Pod reconstruct-1 leads', 'its duration is almost over', lease({ ...held, renewTime: at(15) })],
    ['ok: Pod reconstruct-1 leads', 'the clock of the cluster is ahead', lease({ ...held, renewTime: at(-60) })],
    [
      `problem: ${named} was last renewed 16s ago by reconstruct-1, and its duration is 15s → ${clock}`,
      'its duration is over',
      lease({ ...held, renewTime: at(16) }),
    ],
    [
      `problem: ${named} was last renewed never by reconstruct-1, and its duration is 15s → ${clock}`,
      'it has no time',
      lease(held),
    ],
    [`problem: ${named} has no holder: no replica leads → ${logs}`, 'it was released', lease({ holderIdentity: '' })],
    [`problem: ${named} does not exist: no replica has led yet → ${logs}`, 'it does not exist', undefined],
    [
      `problem: ${named} is held by laptop, which is no Pod of the operator → Stop the other operator, or set another --lease-name for it`,
      'another process holds it',
      lease({ ...held, holderIdentity: 'laptop_5f', renewTime: at(1) }),
    ],
  ])('is "%s" when %s', (line, _, value) => {
    const view = { name: place, lease: { value }, pods: { value: [givenPod()] }, now };
    expect(linesOf(leaderFindings(view))).toEqual([line]);
  });

  test.each([
    { when: 'its holder is gone', renewed: 1 },
    { when: 'its holder is gone and its duration is over', renewed: 40 },
  ])('is unknown for a minute after a Pod has started, if $when', ({ renewed }) => {
    const value = lease({ ...held, holderIdentity: 'reconstruct-0_5f', renewTime: at(renewed) });
    const lines = (seconds: number) => {
      const { metadata, ...pod } = givenPod();
      const started = { ...pod, metadata: { ...metadata, creationTimestamp: at(seconds) } };
      return linesOf(leaderFindings({ name: place, lease: { value }, pods: { value: [started] }, now }));
    };
    expect(lines(59)).toEqual([
      `unknown: ${named} is still held by reconstruct-0, which is gone, and a Pod has just started → Wait a minute, and run the command again`,
    ]);
    expect(lines(60)).toEqual([expect.stringMatching(/^problem: /)]);
  });

  test('is unknown without permissions, and none without an election', () => {
    const known = { name: place, lease: { value: lease({ ...held, renewTime: at(1) }) }, now };
    const pods = { value: [] };
    expect(linesOf(leaderFindings({ ...known, lease: { missing: 'get leases' }, pods }))[0]).toMatch(/^unknown: Lease/);
    expect(linesOf(leaderFindings({ ...known, pods: { missing: 'list pods' } }))[0]).toMatch(/^unknown: The holder of/);
    expect(linesOf(leaderFindings({ ...known, name: undefined, pods }))[0]).toMatch(/^info: .*without --leader-elect/);
  });
});

function leaving(pod: LivePod): LivePod {
  return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-11-30T00:00:00Z' } };
}
