import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../cli/check/findings/finding.js';
import { imageFindings, mayFail } from '../../../cli/check/findings/image-pulls.js';
import { optionalFindings, optionalKinds } from '../../../cli/check/findings/optional-kinds.js';
import { reading, rightTo } from '../../../cli/check/findings/reading.js';
import { stalledFindings } from '../../../cli/check/findings/stalled-resources.js';
import { findingLines, reportOf } from '../../../cli/check/report.js';
import { clusterIssuerKind, databaseKind, kafkaTopicKind } from '../../../imports/index.js';
import { controllers, rotationControllers } from '../../../operator/controllers/index.js';
import { ApiError } from '../../../operator/runtime/kubernetes/errors.js';
import { Node, Pod } from '../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../operator/runtime/kubernetes/object.js';
import { givenFailure, givenPod, linesOf } from './given-installation.js';

const remedy = expect.stringMatching(/ → Push the image .* --image-registry or --image-pull-secrets .*images\.md\)$/);

describe('Pods of resources', () => {
  const owned = {
    apiVersion: 'reconstruct.dev/v1alpha1',
    kind: 'Database',
    name: 'orders',
    uid: '1',
    controller: true,
  };
  const managed = (name: string, ownerReferences: LiveObject['metadata']['ownerReferences'] = [owned]) =>
    ({
      ...{ apiVersion: 'v1', kind: 'Pod' },
      metadata: { ...{ uid: '1', resourceVersion: '1', namespace: 'shop', name }, ownerReferences },
    }) as LiveObject;
  const failing = (reason: string, image = 'postgres:15', message = 'no such host') =>
    givenFailure({ waiting: { reason, message } }, { image });

  test.each(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'])(
    'that fail with %s are one finding for their resource',
    (reason) => {
      const pods = [
        { pod: { ...failing(reason), metadata: managed('orders-1').metadata }, managed: managed('orders-1') },
        { pod: { ...failing(reason), metadata: managed('orders-2').metadata }, managed: managed('orders-2') },
      ];
      const [line, ...more] = linesOf(imageFindings([{ value: pods }]));
      expect(line).toMatch(
        /^problem: Database shop\/orders: the image postgres:15 cannot be pulled by 2 Pods: no such host/,
      );
      expect(line).toEqual(remedy);
      expect(more).toEqual([]);
    },
  );

  test('that run, start or crash are no such finding', () => {
    const pods = [
      givenPod({ phase: 'Running' }),
      givenFailure({ waiting: { reason: 'ContainerCreating' } }),
      givenFailure({ waiting: { reason: 'CrashLoopBackOff' } }, { lastState: { terminated: { exitCode: 1 } } }),
    ].map((pod) => ({ pod, managed: managed('orders-1') }));
    expect(linesOf(imageFindings([{ value: pods }]))).toEqual(['ok: No Pod of a resource fails to pull its image']);
  });

  test('are judged by each container, init containers too', () => {
    const broken = failing('ErrImagePull').status?.containerStatuses ?? [];
    const crashed = givenFailure({ terminated: { exitCode: 1 } }).status?.containerStatuses ?? [];
    for (const status of [
      { containerStatuses: [...crashed, ...broken] },
      { containerStatuses: crashed, initContainerStatuses: broken },
    ]) {
      const lines = linesOf(imageFindings([{ value: [{ pod: givenPod(status), managed: managed('orders-1') }] }]));
      expect(lines).toEqual([expect.stringContaining('image postgres:15 cannot be pulled by 1 Pod')]);
    }
  });

  test('without an owner name the object that created them', () => {
    const value = [{ pod: failing('ErrImagePull', 'web:1', ''), managed: managed('web', []) }];
    expect(linesOf(imageFindings([{ value }]))[0]).toMatch(/^problem: Pod shop\/web: the image web:1 .* by 1 Pod →/);
  });

  test('are unknown once for each permission that is missing', () => {
    const missing = 'list pods in all namespaces';
    const lines = linesOf(imageFindings([{ missing }, { missing }, { value: [] }]));
    expect(lines).toEqual([
      expect.stringMatching(/^unknown: The images of Pods cannot be checked: you may not list pods/),
    ]);
  });

  test('of many images are ten lines, and their number', () => {
    const value = Array.from({ length: 13 }, (_, index) => ({
      pod: failing('ErrImagePull', `web:${index}`),
      managed: managed('web'),
    }));
    const lines = linesOf(imageFindings([{ value }]));
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toContain('3 more images cannot be pulled');
  });
});

describe('Pods of a workload', () => {
  const deployment = (status: object) =>
    ({
      ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
      metadata: { uid: '1', resourceVersion: '1', generation: 1, name: 'web', namespace: 'shop' },
      spec: { replicas: 2 },
      status: { observedGeneration: 1, ...status },
    }) as LiveObject;
  const complete = { replicas: 2, updatedReplicas: 2, readyReplicas: 2 };

  test.each<[isRead: boolean, when: string, object: LiveObject]>([
    [false, 'each runs as desired', deployment(complete)],
    [true, 'one is not ready', deployment({ ...complete, readyReplicas: 1 })],
    [
      true,
      'a new one does not start beside the earlier ones',
      deployment({ ...complete, replicas: 3, updatedReplicas: 1 }),
    ],
    [true, 'a new one replaces the last', deployment({ ...complete, replicas: 3 })],
    [true, 'one is unavailable', deployment({ ...complete, unavailableReplicas: 1 })],
    [
      true,
      'a DaemonSet is updated',
      {
        ...deployment({ numberReady: 3, desiredNumberScheduled: 3, updatedNumberScheduled: 2 }),
        kind: 'DaemonSet',
      },
    ],
    [
      false,
      'a DaemonSet is complete',
      {
        ...deployment({ numberReady: 3, desiredNumberScheduled: 3, updatedNumberScheduled: 3 }),
        kind: 'DaemonSet',
        spec: {},
      } as never,
    ],
    [true, 'a Job runs', { ...deployment({ active: 1 }), kind: 'Job' }],
    [
      false,
      'a Job is complete',
      { ...deployment({ conditions: [{ type: 'Complete', status: 'True' }] }), kind: 'Job', spec: {} } as never,
    ],
  ])('are read: %s, when %s', (isRead, _, object) => {
    expect(mayFail(object)).toBe(isRead);
  });
});

describe('stalled resources', () => {
  const resource = (name: string, conditions: readonly object[] = [], namespace: string | undefined = 'shop') =>
    ({
      ...{ apiVersion: 'a/v1', kind: 'Any' },
      metadata: { ...{ uid: '1', resourceVersion: '1', name }, ...(namespace && { namespace }) },
      status: { conditions },
    }) as never;
  const stalled = [{ type: 'Stalled', status: 'True', reason: 'Invalid', message: '' }];
  const kinds = (...names: readonly string[]) => names.map((name) => resource(name, stalled));

  test('are a finding for each kind, with the command to look', () => {
    const views = [
      { kind: databaseKind, resources: { value: [...kinds('orders', 'carts'), resource('good')] } },
      { kind: kafkaTopicKind, resources: { value: [resource('good', [{ type: 'Stalled', status: 'False' }])] } },
      { kind: clusterIssuerKind, resources: { value: [resource('root', stalled, '')] } },
    ];
    expect(linesOf(stalledFindings(views, 'kubectl reconstruct'))).toEqual([
      'problem: 2 Databases stalled: shop/orders, shop/carts → Run kubectl reconstruct status databases --all-namespaces',
      'problem: 1 ClusterIssuer stalled: root → Run kubectl reconstruct status clusterissuers',
    ]);
  });

  test('are none, or unknown without permission', () => {
    const good = { kind: databaseKind, resources: { value: [resource('good')] } };
    expect(linesOf(stalledFindings([good], 'reconstruct'))).toEqual(['ok: None of 1 resource is stalled']);
    const hidden = { kind: databaseKind, resources: { missing: 'list databases' } };
    expect(linesOf(stalledFindings([good, hidden], 'reconstruct'))).toEqual([
      expect.stringMatching(/^unknown: Whether a Database is stalled cannot be checked: you may not list databases/),
    ]);
  });
});

describe('optional kinds', () => {
  test('are those of others that the controllers declare', () => {
    const names = optionalKinds(controllers).map(({ kind }) => kind);
    expect(names).toContain('HTTPRoute');
    expect(names).not.toContain('ClusterIssuer');
    expect(names).not.toContain('Database');
  });

  test('that are not served are no problem, and name the controllers that do less', () => {
    const lines = linesOf(optionalFindings(controllers, ({ group }) => group !== 'gateway.networking.k8s.io'));
    const [line, ...more] = lines.filter((one) => one.startsWith('info'));
    expect(line).toMatch(
      /^info: The cluster lacks .*HTTPRoute.* of gateway\.networking\.k8s\.io\. Without it, controllers .*gateway.* do less → /,
    );
    expect(more).toEqual([]);
    expect(reportOf(optionalFindings(controllers, () => false)).ok).toBe(true);
  });

  test('that are served are well', () => {
    expect(new Set(optionalFindings(controllers, () => true).map(({ state }) => state))).toEqual(new Set(['ok']));
    expect(
      optionalFindings(rotationControllers, () => true)
        .map(({ message }) => message)
        .join(),
    ).not.toContain('HTTPRoute');
  });
});

describe('a reading', () => {
  const denied = new ApiError('no', { code: 403, reason: 'Forbidden' });

  test.each([
    { error: denied, when: 'the API server forbids it' },
    { error: new Error('no', { cause: denied }), when: 'an error has that cause' },
  ])('is a missing permission when $when', async ({ error }) => {
    expect(await reading('get it', () => Promise.reject(error))).toEqual({ missing: 'get it' });
  });

  test('is a value, or else an error', async () => {
    expect(await reading('get it', async () => 1)).toEqual({ value: 1 });
    const fault = new ApiError('no answer', { code: 0, reason: 'NoAnswer' });
    await expect(reading('get it', () => Promise.reject(fault))).rejects.toBe(fault);
  });

  test('names a permission in words', () => {
    expect(rightTo('list', Pod)).toBe('list pods in all namespaces');
    expect(rightTo('get', databaseKind, 'shop')).toBe('get databases.reconstruct.dev in namespace shop');
    expect(rightTo('list', Node)).toBe('list nodes');
  });
});

describe('the report', () => {
  const ok: Finding = { part: 'leader', state: 'ok', message: 'Pod a leads' };
  const problem: Finding = {
    part: 'definitions',
    state: 'problem',
    message: 'CRD b\ndoes not exist',
    action: 'Apply it',
  };
  const unknown: Finding = { part: 'pods', state: 'unknown', message: 'not allowed', action: 'Be allowed' };
  const info: Finding = { part: 'optional kinds', state: 'info', message: 'none' };

  test.each<[result: string, ok: boolean, findings: readonly Finding[]]>([
    ['The installation works.', true, [ok, info]],
    ['1 problem.', false, [ok, problem]],
    ['1 not checked.', false, [ok, unknown]],
    ['2 problems, 1 not checked.', false, [problem, problem, unknown]],
  ])('ends with "%s", which is well: %s', (result, isWell, findings) => {
    expect(findingLines(findings).at(-1)).toBe(result);
    expect(reportOf(findings)).toEqual({ ok: isWell, findings });
  });

  test('has a line for each finding, and what to do below it', () => {
    expect(findingLines([ok, problem])).toEqual([
      'ok       leader       Pod a leads',
      'problem  definitions  CRD b does not exist',
      '                      To do: Apply it',
      '',
      '1 problem.',
    ]);
  });
});
