import { algorithms } from './algorithms.js';
import { certificates } from './certificates.js';
import { databases } from './databases.js';
import { examples } from './examples.js';
import { kafka } from './kafka.js';
import type { RenderedCase } from './rendered-case.js';
import { rotations } from './rotations.js';
import { trainings } from './trainings.js';

/** All cases, in their order. */
export const cases: readonly RenderedCase[] = [
  ...examples,
  ...algorithms,
  ...databases,
  ...certificates,
  ...kafka,
  ...rotations,
  ...trainings,
];
