import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { desire } from '../../../../operator/controllers/training/desire.js';
import type { TrainingView } from '../../../../operator/controllers/training/view.js';
import { Deployment, type ObjectKind, Pod, Secret } from '../../../../operator/runtime/index.js';
import { trainingRevision } from '../../../../src/index.js';
import { specOf } from '../../../src/training/given-job.js';
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

/** The image of the coordinator that a job of the second image needs. */
function imageBeside(pods: readonly object[], deployments: readonly object[] = [deployment('train:1')]): string {
  const chart = new Chart(new App(), 'chart', { namespace: 'ml' });
  const token = { metadata: { name: 'ranking-token' }, data: { token: 'dG9rZW4=' } };
  const objects = new Map<ObjectKind, readonly object[]>([
    [Pod, pods],
    [Deployment, deployments],
    [Secret, [token]],
  ]);
  desire(chart, {
    resource: { metadata, spec: after },
    owned: { of: (kind: ObjectKind) => objects.get(kind) ?? [] },
    reads: { nodes: [], claims: [], configMaps: [], secrets: [] },
    ...{ polled: {}, now: new Date(now) },
  } as unknown as TrainingView);
  const { spec } = chart.toJson().find(({ kind }: { readonly kind: string }) => kind === 'Deployment');
  return spec.template.spec.containers[0].image;
}

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
