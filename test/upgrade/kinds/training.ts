import { readFile } from 'node:fs/promises';
import { small } from '../../e2e/training/tried-training.js';
import { resource, type UpgradedKind } from '../upgraded-kind.js';

/** Two workers that train until they are deleted, with checkpoints. */
export const upgraded = {
  controllers: ['trainingjob'],
  objects: async (namespace) => {
    const data = { 'program.py': await readFile('test/e2e/training/program.py', 'utf8') };
    return [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'program', namespace }, data },
      resource(
        'TrainingJob',
        { name: 'digits', namespace },
        {
          ...{ ...small({ STEPS: 10_000_000, STEP_PAUSE: 0.5 }), workers: 2 },
          checkpoint: { size: '64Mi', every: 50, deletionPolicy: 'Delete' },
        },
      ),
    ];
  },
  resources: () => [{ resource: 'tj/digits' }],
  isReady: (_, { phase }) => phase === 'Running',
} satisfies UpgradedKind;
