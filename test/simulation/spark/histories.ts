import type { Histories } from '../plan-history.js';
import { sparkHistory } from './spark-history.js';

/** Histories of the plan of a SparkJob. */
export const histories = { spark: sparkHistory } satisfies Histories;
