import { string } from '../schema/index.js';

/** A time in a status. */
export const time = (description: string) => string(description, { format: 'date-time', optional: true });

/** A short text in a status. */
export const text = (description: string, maxLength = 253) => string(description, { maxLength, optional: true });
