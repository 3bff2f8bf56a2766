import type { DatabaseSpec } from '../../imports/index.js';
import { patroniLabels } from './config/patroni-config.js';
import { fingerprint } from './fingerprint.js';
import { instancePod } from './pods/pod.js';

/**
 * A fingerprint of what the Pods of a Database are made from: of all of its instances the same, and another one when a Pod
 * would be another. What the first instance began with is no part of it.
 * @param name the Database's
 */
export function instanceRevision(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  pod: { readonly spec: DatabaseSpec; readonly image: string },
): string {
  const identity = { name, namespace, labels: patroniLabels(name) };
  const { metadata, spec } = instancePod(identity, { ...pod, instance: name });
  return fingerprint([metadata?.labels, spec]);
}
