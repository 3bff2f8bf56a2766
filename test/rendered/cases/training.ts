import { type RenderedCase, resource } from '../rendered-case.js';

const least = { image: 'training:1.0.0', command: ['python3', '/app/train.py'] };
const job = (spec: object = {}) => [resource('TrainingJob', 'digits', { ...least, ...spec })];
const checkpoint = { size: '1Gi', deletionPolicy: 'Delete' };

/** TrainingJobs. */
export const cases = [
  {
    name: 'training',
    objects: job({ workers: 2, checkpoint }),
    edits: {
      'more workers': job({ workers: 3, checkpoint }),
      suspended: job({ workers: 3, checkpoint, suspend: true }),
      resumed: job({ workers: 3, checkpoint }),
      'another image': job({ workers: 3, checkpoint, image: 'training:1.1.0' }),
    },
  },
  {
    name: 'training-elastic',
    objects: job({ workers: 4, minWorkers: 2, spares: 1, gang: { timeout: '1m' }, checkpoint }),
  },
  {
    name: 'training-restart',
    objects: job({ recovery: 'Restart', workers: 2, checkpoint }),
    edits: {
      'another command': job({ recovery: 'Restart', workers: 2, checkpoint, command: ['python3', 'other.py'] }),
    },
  },
] satisfies readonly RenderedCase[];
