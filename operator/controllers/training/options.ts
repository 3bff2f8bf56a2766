import { trainingJobKind } from '../../../imports/index.js';
import type { KindPods } from '../../images/pod-defaults.js';

/** The Pods of TrainingJobs. Each names its image. */
export const trainingPods: KindPods<never> = { kind: trainingJobKind };
