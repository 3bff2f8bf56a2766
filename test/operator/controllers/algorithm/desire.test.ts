import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { desire } from '../../../../operator/controllers/algorithm/desire.js';
import { algorithm } from '../../../../operator/controllers/algorithm/index.js';
import { ownedOf } from '../../../../operator/runtime/controller/owned-objects.js';
import type { Controller } from '../../../../operator/runtime/index.js';
import { render } from '../../../../operator/runtime/rendering/render.js';
import { Algorithm } from '../../../../src/index.js';
import { algorithmResource } from './given-algorithm.js';

const scaling = { minReplicas: 1, maxReplicas: 3, targetCpuPercent: 80 };

describe('an Algorithm', () => {
  it('becomes what its construct renders', () => {
    const [operated, synthesized] = ['operated', 'synthesized'].map(
      () => new Chart(new App(), 'x', { namespace: 'team' }),
    );
    if (!operated || !synthesized) throw new Error('not made');
    const resource = algorithmResource({ scaling });
    desire(operated, { resource, siblings: ownedOf([]) });
    new Algorithm(synthesized, 'anything', { ...resource.spec, name: 'reco' });
    expect(operated.toJson()).toEqual(synthesized.toJson());
  });

  it.each([
    {
      kinds: ['ConfigMap', 'Service', 'Deployment', 'PodDisruptionBudget'],
      when: 'it has a fixed number of replicas',
      spec: {},
    },
    {
      kinds: ['ConfigMap', 'Service', 'Deployment', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'],
      when: 'it is scaled',
      spec: { scaling },
    },
  ])('becomes $kinds when $when, all of them owned', ({ kinds, spec }) => {
    const owned = { of: () => [], one: () => undefined, all: () => [] };
    const resource = algorithmResource(spec);
    const desired = render(algorithm as unknown as Controller, {
      resource: resource as never,
      owned,
      siblings: owned,
      isServed: () => true,
      reads: {},
      polled: {},
      now: new Date(0),
    });
    expect(desired.map(({ kind }) => kind.kind).sort()).toEqual(kinds.toSorted());
  });

  it('R34 bears keys that mean something to JavaScript', () => {
    const chart = new Chart(new App(), 'x', { namespace: 'team' });
    const config = JSON.parse('{"constructor":"1","__proto__":"2"}') as Record<string, string>;
    desire(chart, { resource: algorithmResource({ config }), siblings: ownedOf([]) });
    const map = (chart.toJson() as { kind: string; data?: object }[]).find(({ kind }) => kind === 'ConfigMap');
    expect(Object.keys(map?.data ?? {}).sort()).toEqual(['__proto__', 'constructor']);
  });
});
