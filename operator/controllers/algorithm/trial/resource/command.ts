import type { AlgorithmResource } from '../../../../../imports/index.js';

/**
 * Annotation that ends a trial: `promote` or `abort`, a space, and the `status.trial.id` of the trial. Other trials
 * ignore it, so an old annotation may stay.
 */
export const trialAnnotation = 'ai.alien6.io/trial';

/** The command for a trial; undefined if there is none. */
export function commandFor(resource: AlgorithmResource, trialId: string): 'promote' | 'abort' | undefined {
  const [command, id, ...more] = resource.metadata.annotations?.[trialAnnotation]?.split(' ') ?? [];
  if (id !== trialId || trialId === '' || more.length > 0) return undefined;
  return command === 'promote' || command === 'abort' ? command : undefined;
}
