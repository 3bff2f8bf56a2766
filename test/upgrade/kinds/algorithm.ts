import { specOf } from '../../e2e/algorithm/tried-algorithm.js';
import type { UpgradedKind } from '../upgraded-kind.js';

export const upgraded = {
  controllers: ['algorithm'],
  objects: (namespace) => [
    {
      ...{ apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata: { name: 'reco', namespace } },
      spec: specOf('1.0.0'),
    },
  ],
  resources: () => [{ resource: 'algo/reco' }],
} satisfies UpgradedKind;
