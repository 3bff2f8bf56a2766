import { certificateKind, secretRotationKind } from '../../imports/index.js';
import { renewAnnotation } from '../../operator/controllers/certificates/certificate/situation.js';
import { rotateAnnotation } from '../../operator/controllers/secret-rotation/situation.js';
import { apiVersionOf, type ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type Manifest, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { resourceNamed } from '../cluster/named-resource.js';
import { notFoundError } from '../status/listed-resources.js';

/** What a user can ask for, and how. Each new value of the annotation asks once. */
interface Request {
  readonly kind: ObjectKind;
  readonly annotation: string;
  readonly what: string;
}

/** The requests, by the verb of the command. */
export const requests = {
  renew: { kind: certificateKind, annotation: renewAnnotation, what: 'a renewal' },
  rotate: { kind: secretRotationKind, annotation: rotateAnnotation, what: 'a rotation' },
} satisfies Readonly<Record<string, Request>>;

/**
 * Asks the operator for a new certificate or credential.
 * @param now milliseconds since 1970
 * @returns the request as a sentence for users
 * @throws {Error} if the resource does not exist or is being deleted
 */
export async function request(
  cluster: Cluster,
  { kind, annotation, what }: Request,
  name: ObjectName,
  now: number,
): Promise<string> {
  const live = await resourceNamed(kind, name, cluster);
  if (!live) throw notFoundError(kind.kind, name);
  const title = `${kind.kind} ${keyOf(name)}`;
  const { uid, deletionTimestamp } = live.metadata;
  if (deletionTimestamp !== undefined) throw new Error(`${title} is being deleted, so the operator ignores ${what}`);
  const metadata = { ...name, uid, annotations: { [annotation]: new Date(now).toISOString() } };
  // With the UID, a resource that was deleted and created again meanwhile is left alone.
  const manifest = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata } as Manifest;
  await cluster.apply(kind, manifest, { manager: 'reconstruct-request' });
  const follow = `reconstruct status ${kind.kind.toLowerCase()} ${name.name} -n ${name.namespace}`;
  return `${title}: requested ${what}; to follow it, run ${follow}`;
}
