import { createHash } from 'node:crypto';
import type { DatabaseSpec } from '../../imports/index.js';
import { dynamicConfig, patroniLabels } from './patroni-config.js';
import { instancePod } from './pod.js';

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

/** A fingerprint of the parameters with which PostgreSQL runs. @param name the Database's */
export function parametersRevision(name: string, spec: DatabaseSpec): string {
  return fingerprint(dynamicConfig(name, spec).postgresql.parameters);
}

function fingerprint(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
