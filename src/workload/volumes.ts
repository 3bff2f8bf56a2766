import type { k8s } from 'cdk8s-plus-27';
import type { Plain } from '../manifest/plain.js';

type Volume = Plain<k8s.Volume>;

/** The volume of a PersistentVolumeClaim. */
export function claimVolume(name: string, claimName: string): Volume {
  return { name, persistentVolumeClaim: { claimName } };
}

/** An empty volume that is deleted with the Pod, on disk or in memory. */
export function emptyVolume(name: string, inMemory?: { readonly upTo: string }): Volume {
  return { name, emptyDir: inMemory ? { medium: 'Memory', sizeLimit: inMemory.upTo } : {} };
}
