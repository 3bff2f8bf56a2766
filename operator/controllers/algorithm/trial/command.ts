import type { AlgorithmResource } from '../../../../imports/index.js';

/**
 * Annotation by which somebody ends a trial: `promote` or `abort`, a space, and the trial's `status.trial.id`. It means
 * nothing to any other trial, so an old one may stay.
 */
export const trialAnnotation = 'ai.alien6.io/trial';

/** What is asked for a trial. */
export function commandFor(resource: AlgorithmResource, trialId: string): 'promote' | 'abort' | undefined {
  const [command, id, ...more] = resource.metadata.annotations?.[trialAnnotation]?.split(' ') ?? [];
  if (id !== trialId || trialId === '' || more.length > 0) return undefined;
  return command === 'promote' || command === 'abort' ? command : undefined;
}
