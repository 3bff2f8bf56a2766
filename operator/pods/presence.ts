import type { LivePersistentVolumeClaim, LivePod } from '../runtime/index.js';

/** Whether an object exists or is terminating. */
export type Presence = 'none' | 'there' | 'ending';

/** Undefined is absent. */
export function presenceOf(object: LivePod | LivePersistentVolumeClaim | undefined): Presence {
  if (!object) return 'none';
  return object.metadata.deletionTimestamp === undefined ? 'there' : 'ending';
}

/** The node that the scheduler selected when the volume was provisioned. */
export function homeOf({ metadata }: LivePersistentVolumeClaim): string | undefined {
  return metadata.annotations?.['volume.kubernetes.io/selected-node'];
}
