import type { Controller } from '../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import { keyOf, type LiveObject, type Manifest, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster, PatchOperation } from '../../operator/runtime/ports/cluster.js';
import { resourceNamed } from '../cluster/named-resource.js';

/** A resource whose consequences are asked for. */
export interface Proposal {
  readonly resource: CustomResource;
  /** Whether the API server has it already, in this state or in another. */
  readonly exists: boolean;
  /** As the API server has it, where it would be another. */
  readonly live?: CustomResource;
}

/** In a person's name, and as strict as kubectl: what is tried is what he would do himself. */
const asked = { manager: 'kubectl', dryRun: true, strict: true } as const;

/** The resource as it is. @throws {Error} when there is none */
export async function existing({ kind }: Controller, name: ObjectName, cluster: Cluster): Promise<Proposal> {
  const resource = await resourceNamed(kind, name, cluster);
  if (resource) return { resource, exists: true };
  throw new Error(`there is no ${kind.kind} ${keyOf(name)}: name one that is there, or give a file with --file`);
}

/**
 * The resource as it would be with the spec of a file, defaults filled in by the API server.
 * @throws {ApiError} when the server refuses it
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

/** The whole spec is replaced: a field that the file states no longer is meant to go. */
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
