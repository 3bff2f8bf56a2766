import type { Controller } from '../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import { keyOf, type LiveObject, type Manifest, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster, PatchOperation } from '../../operator/runtime/ports/cluster.js';
import { resourceNamed } from '../cluster/named-resource.js';

/** The resource to evaluate. */
export interface Proposal {
  readonly resource: CustomResource;
  /** Whether it already exists on the API server, in this or another state. */
  readonly exists: boolean;
  /** The live resource, if it would change. */
  readonly live?: CustomResource;
}

/** The options of kubectl, including its strict validation, because the user would apply the resource with kubectl. */
const asked = { manager: 'kubectl', dryRun: true, strict: true } as const;

/** The live resource. @throws {Error} if it does not exist */
export async function existing({ kind }: Controller, name: ObjectName, cluster: Cluster): Promise<Proposal> {
  const resource = await resourceNamed(kind, name, cluster);
  if (resource) return { resource, exists: true };
  throw new Error(
    `${kind.kind} ${keyOf(name)} not found; check the name and --namespace, or specify a file with --file`,
  );
}

/**
 * The resource with the spec of a file and the defaults of the API server.
 * @throws {ApiError} if the API server rejects it
 */
export async function proposed({ kind }: Controller, manifest: Manifest, cluster: Cluster): Promise<Proposal> {
  const live = await resourceNamed(kind, manifest.metadata, cluster);
  if (live) {
    const resource = await cluster.patch(kind, live.metadata, edits(live, manifest), asked);
    return { resource, exists: true, live };
  }
  const { metadata, ...content } = await cluster.create(kind, manifest, asked);
  const identity = { uid: metadata.uid, resourceVersion: metadata.resourceVersion || '1', generation: 1 };
  return { resource: { ...content, metadata: { ...metadata, ...identity } }, exists: false };
}

/** Replaces the whole spec, so that fields that the file omits are removed. */
function edits(live: LiveObject, manifest: Manifest): PatchOperation[] {
  const { spec } = manifest as CustomResource;
  const { labels, annotations } = manifest.metadata;
  const added = { ...(labels && { labels }), ...(annotations && { annotations }) };
  return [
    { op: 'add', path: '/spec', value: spec ?? {} },
    ...Object.entries(added).map(([field, stated]) => {
      const value = { ...live.metadata[field as keyof typeof added], ...stated };
      return { op: 'add' as const, path: `/metadata/${field}`, value };
    }),
  ];
}
