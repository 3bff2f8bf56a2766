import { keyedList } from './collections.js';
import { object } from './object.js';
import { enumeration, integer, string } from './scalars.js';

/**
 * The conditions of a status. Their type identifies them, so several controllers can each apply their own.
 * @see https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties
 */
export function conditions() {
  return keyedList('Conditions of the resource, one for each aspect.', ['type'], condition(), {
    maxItems: 32,
    optional: true,
  });
}

function condition() {
  return object('Condition of one aspect of the resource, as last observed.', {
    type: string('Type of the condition, such as `Ready` or `Available`.', {
      minLength: 1,
      maxLength: 316,
      pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$',
    }),
    status: enumeration('Status of the condition.', ['True', 'False', 'Unknown']),
    reason: string('Reason for the status, as one CamelCase word.', {
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
    message: string('Details of the status, as a sentence for display.', { maxLength: 32_768 }),
    lastTransitionTime: string('Time of the last change of `status`.', { format: 'date-time' }),
    observedGeneration: integer('Value of `metadata.generation` that the condition describes.', {
      format: 'int64',
      minimum: 0,
      optional: true,
    }),
  });
}
