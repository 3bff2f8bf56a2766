import type { Histories } from '../plan-history.js';
import { publicationHistory } from './publication-history.js';

/** Histories of the plan of a ServicePublication. */
export const histories = { publication: publicationHistory } satisfies Histories;
