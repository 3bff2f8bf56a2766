import { partsOf } from '../systems/parts.js';
import type { Comparison } from './comparison.js';

/** The systems that are compared with a peer. */
export const comparisons = await partsOf<Comparison>('test/compare/<system>/compare.ts', 'comparison');
