import { secondsOf } from '../../../crds/index.js';
import type { TrainingJobResource } from '../../../imports/index.js';

/** When a job that has ended is deleted, in milliseconds since 1970. Undefined while it runs, or if it stays. */
export function expiresAt({
  spec: { ttlAfterFinished },
  status,
}: Pick<TrainingJobResource, 'spec' | 'status'>): number | undefined {
  const ended = status?.completionTime;
  if (ttlAfterFinished === undefined || ended === undefined) return undefined;
  return Date.parse(ended) + 1_000 * secondsOf(ttlAfterFinished);
}
