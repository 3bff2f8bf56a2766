import { openTraining } from './open-training.js';

/** The sources of TrainingJobs. */
export const training = { name: 'training', open: openTraining };
