import { integer, string } from '../schema/index.js';

/** The generation that a status describes. */
export const observedGeneration = integer(
  'Value of `metadata.generation` that the status describes. -1 until the operator writes the status.',
  { format: 'int64', minimum: -1, optional: true },
);

/** A time in a status. */
export const time = (description: string) => string(description, { format: 'date-time', optional: true });

/** A short text in a status. */
export const text = (description: string, maxLength = 253) => string(description, { maxLength, optional: true });
