import type { Histories } from '../plan-history.js';
import { restartHistory } from './restart-history.js';
import { trainingHistory } from './training-history.js';

/** Histories of the plans of TrainingJobs. */
export const histories = { training: trainingHistory, 'training-restart': restartHistory } satisfies Histories;
