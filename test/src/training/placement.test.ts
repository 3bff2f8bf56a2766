import { describe, expect, test } from 'vitest';
import { podOf } from './given-job.js';

const nodes = { nodeSelector: { pool: 'gpu' } };
const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'cache' } } };
const preferred = [{ weight: 1, podAffinityTerm: term }];
const ofUser = {
  affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred }, podAntiAffinity: {} },
};
const beside = {
  weight: 100,
  podAffinityTerm: {
    labelSelector: {
      matchLabels: { 'reconstruct.dev/training-job': 'ranking', 'reconstruct.dev/training-role': 'worker' },
    },
    topologyKey: 'rack',
  },
};

describe('the Pod of a worker', () => {
  test('prefers nodes near the other workers, in addition to the preferences of its template', () => {
    const { affinity, nodeSelector } = podOf(
      1,
      { topology: { key: 'rack' }, podTemplate: ofUser },
      { domain: 'b' },
    ).spec;
    expect(affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution).toEqual([...preferred, beside]);
    expect(affinity.podAntiAffinity).toEqual({});
    expect(nodeSelector).toBeUndefined();
  });
  test.each([
    ['that are chosen', 'b', { pool: 'gpu', rack: 'b' }],
    ['as its template says, before they are chosen', undefined, { pool: 'gpu' }],
  ])('needs nodes %s', (_, domain, expected) => {
    const topology = { key: 'rack', policy: 'Required' };
    const { nodeSelector, affinity } = podOf(1, { topology, podTemplate: nodes }, { domain }).spec;
    expect([nodeSelector, affinity]).toEqual([expected, undefined]);
  });
  test('needs no nodes in particular without a topology', () => {
    const { nodeSelector, affinity } = podOf(1, {}, { domain: 'b' }).spec;
    expect([nodeSelector, affinity]).toEqual([undefined, undefined]);
  });
});
