import { partsOf } from '../systems/parts.js';
import { examples } from './examples.js';
import type { RenderedCase } from './rendered-case.js';

/** The cases of each system. */
export const casesOfSystems = await partsOf<readonly RenderedCase[]>('test/rendered/cases/<system>.ts', 'cases');

/** All cases: the examples, and the cases of each system. */
export const cases: readonly RenderedCase[] = [...examples, ...[...casesOfSystems.values()].flat()];
