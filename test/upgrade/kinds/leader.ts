import { TriedElection } from '../../e2e/leader/tried-election.js';
import type { UpgradedKind } from '../upgraded-kind.js';

/** Three servers of Redis, of which the operator elects one. */
export const upgraded = {
  controllers: ['leaderelection'],
  objects: (namespace) => new TriedElection(namespace, 'redis-7').objects(),
  resources: () => [{ resource: 'le/cache' }],
  isReady: (_, { candidates }) => candidates === '3/3',
} satisfies UpgradedKind;
