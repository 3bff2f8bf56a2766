import type { DatabaseSpec } from '../../imports/index.js';
import { fingerprint } from '../manifest/fingerprint.js';
import { patroniLabels } from './naming/identity.js';
import { instancePod } from './pods/pod.js';

/**
 * A fingerprint of the Pod template of a Database. It is the same for all instances, and changes when the rendered Pod
 * changes. The source of the initial data is not part of it.
 * @param name name of the Database
 */
export function instanceRevision(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  pod: { readonly spec: DatabaseSpec; readonly image: string },
): string {
  const identity = { name, namespace, labels: patroniLabels(name) };
  const { metadata, spec } = instancePod(identity, { ...pod, instance: name });
  const { labels, annotations } = metadata;
  return fingerprint([labels, spec, ...(annotations ? [annotations] : [])]);
}
