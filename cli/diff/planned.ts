import type { Cluster, PatchOperation } from '../../operator/runtime/cluster.js';
import type { Controller, CustomResource } from '../../operator/runtime/controller.js';
import { isNotServed } from '../../operator/runtime/errors.js';
import { apiVersionOf, groupKindOf, type ObjectKind } from '../../operator/runtime/kinds.js';
import { keyOf, type LiveObject, type Manifest, type ObjectName } from '../../operator/runtime/object.js';

/** A resource whose consequences are asked for. */
export interface Planned {
  readonly resource: CustomResource;
  /** Whether the API server has it already, in this state or in another. */
  readonly exists: boolean;
  /** As the API server has it, where it would be another. */
  readonly live?: CustomResource;
}

/** In a person's name, and as strict as kubectl: what is tried is what he would do himself. */
const asked = { manager: 'kubectl', dryRun: true, strict: true } as const;

/** The resource as it is. @throws {Error} when there is none */
export async function existing({ kind }: Controller, name: ObjectName, cluster: Cluster): Promise<Planned> {
  const resource = await cluster.read(kind, name);
  if (resource) return { resource, exists: true };
  await assertServed(kind, name, cluster);
  throw new Error(`there is no ${kind.kind} ${keyOf(name)}: name one that is there, or give a file with --file`);
}

/**
 * The resource as it would be with the spec of a file, defaults filled in by the API server.
 * @throws {ApiError} when the server refuses it
 */
export async function proposed({ kind }: Controller, manifest: Manifest, cluster: Cluster): Promise<Planned> {
  const live = await cluster.read(kind, manifest.metadata);
  if (live) {
    const resource = await cluster.patch(kind, live.metadata, edits(live, manifest), asked);
    return { resource, exists: true, live };
  }
  await assertServed(kind, manifest.metadata, cluster);
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

/**
 * What is not found may be the name or the kind, and only a list tells which.
 * @throws {Error} when the API server does not serve the kind
 */
async function assertServed(kind: ObjectKind, { namespace }: ObjectName, cluster: Cluster): Promise<void> {
  try {
    await cluster.list(kind, { namespace, limit: 1 });
  } catch (error) {
    if (!isNotServed(error)) return; // a right that is missing says nothing of the kind
    const definition = `${kind.plural}.${kind.group}`;
    throw new Error(
      `the API server does not serve ${groupKindOf(kind)} as ${apiVersionOf(kind)}: apply the CustomResourceDefinition ${definition} first`,
      { cause: error },
    );
  }
}
