import { keyedList } from './collections.js';
import { object } from './object.js';
import { enumeration, integer, string } from './scalars.js';

/**
 * The conditions of a status, identified by type, so that several controllers can each apply their own.
 * @see https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties
 */
export function conditions() {
  return keyedList('What was observed, one entry for each aspect.', ['type'], condition(), {
    maxItems: 32,
    optional: true,
  });
}

function condition() {
  return object('One aspect of the resource, as last observed.', {
    type: string('The aspect, as `Ready` or `Available`.', {
      minLength: 1,
      maxLength: 316,
      pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$',
    }),
    status: enumeration('Whether it holds.', ['True', 'False', 'Unknown']),
    reason: string('Why, as one CamelCase word.', {
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
    message: string('Why, as a sentence for people.', { maxLength: 32_768 }),
    lastTransitionTime: string('When `status` last changed.', { format: 'date-time' }),
    observedGeneration: integer('The `metadata.generation` that this is about.', {
      format: 'int64',
      minimum: 0,
      optional: true,
    }),
  });
}
