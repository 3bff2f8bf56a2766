import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { desire } from '../../../../operator/controllers/training/desire.js';
import type { TrainingView } from '../../../../operator/controllers/training/view.js';
import { Deployment, type ObjectKind, Pod, Secret } from '../../../../operator/runtime/index.js';
import { trainingRevision } from '../../../../src/index.js';
import { type Rendered, specOf } from '../../../src/training/given-job.js';
import { now } from './given-training.js';

const metadata = { name: 'ranking', namespace: 'ml', uid: 'uid' };
const before = specOf({ image: 'train:1', workers: 1 });
const after = specOf({ image: 'train:2', workers: 1 });
const deployment = (image: string) => ({
  metadata: { name: 'ranking-coordinator' },
  spec: { template: { spec: { containers: [{ image }] } } },
});
const pod = (spec: typeof before, changes: object = {}) => ({
  metadata: {
    ...{ name: 'ranking-0-0', uid: 'uid-0-0', ...changes },
    annotations: { 'reconstruct.dev/revision': trainingRevision({ ...metadata, spec }) },
  },
  ...{ spec: { nodeName: 'n' }, status: { phase: 'Running' } },
});

/** What a job of the second image needs. */
function renderedBeside(
  pods: readonly object[],
  deployments: readonly object[] = [deployment('train:1')],
  status?: object,
  quotas: readonly object[] = [],
): readonly Rendered[] {
  const chart = new Chart(new App(), 'chart', { namespace: 'ml' });
  const token = { metadata: { name: 'ranking-token' }, data: { token: 'dG9rZW4=' } };
  const objects = new Map<ObjectKind, readonly object[]>([
    [Pod, pods],
    [Deployment, deployments],
    [Secret, [token]],
  ]);
  desire(chart, {
    resource: { metadata, spec: after, status },
    owned: { of: (kind: ObjectKind) => objects.get(kind) ?? [] },
    reads: { nodes: [], claims: [], configMaps: [], secrets: [], quotas },
    ...{ polled: {}, now: new Date(now) },
  } as unknown as TrainingView);
  return chart.toJson();
}

const imageBeside = (...given: Parameters<typeof renderedBeside>) =>
  deploymentIn(renderedBeside(...given))?.spec.template.spec.containers[0].image;
const deploymentIn = (objects: readonly Rendered[]) => objects.find(({ kind }) => kind === 'Deployment');

describe('the coordinator of a job whose image was changed', () => {
  test.each<[string, string, Parameters<typeof imageBeside>]>([
    ['keeps its image while workers of the old one write their checkpoint', 'train:1', [[pod(before)]]],
    ['gets the new one when they end', 'train:2', [[pod(before, { deletionTimestamp: '2026-11-27T12:00:00Z' })]]],
    ['gets the new one when they are gone', 'train:2', [[]]],
    ['gets the new one beside new workers', 'train:2', [[pod(after)]]],
    ['gets the new one if it does not exist', 'train:2', [[pod(before)], []]],
  ])('%s', (_, image, given) => {
    expect(imageBeside(...given)).toBe(image);
  });
});

describe('the coordinator of a job that has succeeded', () => {
  test.each<[string, boolean, number]>([
    ['stays while a program may still talk to it', true, 59],
    ['goes when that was long enough', false, 60],
  ])('%s', (_, isThere, ago) => {
    const completionTime = new Date(now - 1_000 * ago).toISOString();
    const ranks = [{ pod: 'ranking-0-0', uid: 'uid-0-0', index: 0 }];
    const objects = renderedBeside([pod(after)], [], { phase: 'Succeeded', completionTime, ranks });
    expect(objects.some(({ kind }) => kind === 'Pod')).toBe(isThere);
    expect(deploymentIn(objects) !== undefined).toBe(isThere);
  });
});

describe('the coordinator of a job whose Pods a ResourceQuota does not allow', () => {
  const startTime = '2026-11-27T11:00:00Z';
  const pods = (left: number) => [{ name: 'team', hard: { pods: left }, used: {}, scopes: [] }];
  test.each<[string, boolean, Parameters<typeof renderedBeside>]>([
    ['is not created', false, [[], [], undefined, pods(1)]],
    ['is created with them', true, [[], [], undefined, pods(2)]],
    ['stays beside Pods', true, [[pod(after)], [], undefined, pods(0)]],
    ['stays once the job has started', true, [[], [deployment('train:2')], { startTime }, pods(0)]],
  ])('%s', (_, isThere, given) => {
    const objects = renderedBeside(...given);
    expect(deploymentIn(objects) !== undefined).toBe(isThere);
    expect(objects.some(({ kind }) => kind === 'NetworkPolicy')).toBe(isThere);
  });
});
