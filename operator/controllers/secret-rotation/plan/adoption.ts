import type { Situation } from '../situation.js';
import type { Step } from './step.js';

/** For example, while a policy refuses to change the Secret. What the consumers have says nothing about the new one. */
export function publication({ isPublished }: Situation): Step | undefined {
  return isPublished ? undefined : { does: 'wait', why: 'secret' };
}

/** Until each consumer has the credential. */
export function adoption({ isAdopted, phases }: Situation): Step | undefined {
  if (isAdopted) return undefined;
  const isOutdated = phases?.includes('Outdated') ?? false;
  return isOutdated ? { does: 'roll' } : { does: 'wait', why: 'consumers' };
}
