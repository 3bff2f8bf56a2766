import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Controller } from '../controller/controller.js';
import type { Facts } from '../controller/facts.js';
import { crossNamespaceKinds } from '../controller/owned-kinds.js';
import { callUserCode } from '../controller/user-code.js';
import { RejectedError } from '../kubernetes/errors.js';
import { isRecord } from '../kubernetes/json.js';
import { groupKindOf, groupOf, mayBeIn, type ObjectKind, Secret } from '../kubernetes/kinds.js';
import { keyOf, type Manifest, type ObjectKey } from '../kubernetes/object.js';
import { callsAmong, type DesiredCall } from './external-call.js';
import { type Keep, keepsAmong } from './keep.js';
import {
  holdsData,
  isToBeMadeOnce,
  type RejectionPolicy,
  type ReplacePolicy,
  rejectionPolicyOf,
  replacePolicyOf,
} from './object-policies.js';
import { refuseMissing } from './required-objects.js';
import { ResourceScope } from './resource-scope.js';
import { waveOf } from './waves.js';

/** A desired object, as the constructs rendered it. */
export interface Desired {
  readonly kind: ObjectKind;
  readonly key: ObjectKey;
  readonly manifest: Manifest;
  /** Applied after the objects of all lower waves, together with those of its own wave. */
  readonly wave: number;
  readonly replace: ReplacePolicy;
  /** Created once and never changed. */
  readonly once: boolean;
  /** True if a deletion loses data. @default false */
  readonly holdsData?: boolean;
  /** What follows if a write is rejected. Undefined if a rejection fails the reconcile. */
  readonly rejection?: RejectionPolicy | undefined;
  /** True if no owner reference of the resource reaches the object. */
  readonly crossNamespace: boolean;
}

/** What `desire` rendered. */
export interface Rendering {
  readonly desired: Desired[];
  readonly calls: readonly DesiredCall[];
  /** What stays although it is not among the desired objects. */
  readonly keeps: readonly Keep[];
}

/** `Deployment web` */
export function describe({ kind, manifest }: Pick<Desired, 'kind' | 'manifest'>): string {
  return `${kind.kind} ${manifest.metadata.name}`;
}

/** The fields of a log line about an object. */
export function fieldsOf(
  { kind, key }: Pick<Desired, 'kind' | 'key'>,
  { controller, resource }: { readonly controller: Controller; readonly resource: Facts['resource'] },
): { readonly [field: string]: string } {
  return { controller: controller.name, key: keyOf(resource.metadata), object: `${groupKindOf(kind)} ${key}` };
}

/** The objects of {@link renderAll}. */
export function render(controller: Controller, facts: Facts): Desired[] {
  return renderAll(controller, facts).desired;
}

/**
 * Runs `desire` in its own construct tree and renders the result.
 *
 * @throws {RejectedError} if a required object is missing, or if `desire` or the validation of a construct rejects the spec
 * @throws {Error} if the tree contains objects that the controller does not declare. The controller is then wrong, not
 * the spec
 */
export function renderAll(controller: Controller, facts: Facts): Rendering {
  refuseMissing(controller, facts);
  const chart = new ResourceScope(controller, facts.resource);
  const ask = <T>(part: () => T) => callUserCode(controller.name, 'desire', part);
  ask(() => controller.desire(chart, facts));

  const constructs = chart.node.findAll();
  const complaints = ask(() => constructs.flatMap((construct) => construct.node.validate()));
  if (complaints.length > 0) throw new RejectedError('Invalid', complaints.join('; '));

  const objects = constructs.filter(ApiObject.isApiObject);
  const waves = new Map<IConstruct, number>();
  const manifests = ask(() => objects.map((object) => object.toJson() as Manifest)); // and those that are found late
  const desired = objects.map((object, index) =>
    desiredOf(object, manifests[index] as Manifest, { controller, facts, wave: waveOf(object, waves) }),
  );
  refuseTwins(controller, desired);
  const { name, owns } = controller;
  const keeps = keepsAmong(constructs, { name, owns, namespace: facts.resource.metadata.namespace });
  return { desired, calls: callsAmong(constructs, controller), keeps };
}

/** Like {@link renderAll}, with a rejection as a value, because it is a result and not a failure. */
export function renderOrReject(controller: Controller, facts: Facts): Rendering | RejectedError {
  try {
    return renderAll(controller, facts);
  } catch (error) {
    if (error instanceof RejectedError) return error;
    throw error;
  }
}

function desiredOf(
  object: ApiObject,
  manifest: Manifest,
  { controller, facts, wave }: { controller: Controller; facts: Facts; wave: number },
) {
  const { apiVersion, kind: name, metadata } = manifest;
  const group = groupOf(apiVersion);
  const kind = controller.owns.find((owned) => owned.kind === name && owned.group === group);
  if (!kind) {
    throw new Error(
      `${controller.name} renders ${name} ${metadata.name}, which it does not own: add ${groupKindOf({ group, kind: name })} to owns`,
    );
  }
  const placed = withoutText(kind, kind.namespaced ? manifest : withoutNamespace(manifest));
  const { namespace } = placed.metadata;
  const home = facts.resource.metadata.namespace;
  if (kind.namespaced && namespace === undefined) {
    throw new Error(`${controller.name} renders ${name} ${metadata.name} without a namespace: set metadata.namespace`);
  }
  const crossNamespace = home !== undefined && namespace !== home;
  if (crossNamespace && !crossNamespaceKinds(controller).includes(kind)) {
    throw new Error(
      `${controller.name} renders ${name} ${metadata.name} into namespace ${namespace}: an owner reference does not reach ` +
        `beyond ${home}; add crossNamespace(${name}) to owns to allow it`,
    );
  }
  if (crossNamespace && namespace !== undefined && !mayBeIn(kind, namespace)) {
    throw new Error(
      `${controller.name} renders ${name} ${metadata.name} into namespace ${namespace}, which crossNamespace(${name}) in owns does not list: add it there`,
    );
  }
  const rejection = rejectionPolicyOf(object);
  const policies = {
    replace: replacePolicyOf(object),
    once: isToBeMadeOnce(object),
    ...(rejection && { rejection }),
    ...(holdsData(kind) && { holdsData: true }),
  };
  return { kind, key: keyOf(placed.metadata), manifest: placed, wave, crossNamespace, ...policies };
}

/** A chart sets its namespace on all of its objects. */
function withoutNamespace(manifest: Manifest): Manifest {
  const { namespace: _, ...metadata } = manifest.metadata;
  return { ...manifest, metadata };
}

/** Two objects of the same name would overwrite each other forever. */
function refuseTwins(controller: Controller, desired: readonly Desired[]): void {
  const seen = new Set<string>();
  for (const { kind, key } of desired) {
    const one = `${groupKindOf(kind)} ${key}`;
    if (seen.has(one)) throw new Error(`${controller.name} renders ${one} twice: give each object its own name`);
    seen.add(one);
  }
}

/**
 * A Secret as the API server stores it: text in `stringData` becomes data. The server never returns `stringData`, so
 * drift and fields that are no longer desired could not be detected.
 *
 * Values that are not text stay unchanged, and the server rejects them.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/secret-v1/
 */
export function withoutText(kind: ObjectKind, manifest: Manifest): Manifest {
  if (groupKindOf(kind) !== groupKindOf(Secret)) return manifest;
  const { stringData, data, ...rest } = manifest as Manifest & {
    readonly stringData?: unknown;
    readonly data?: unknown;
  };
  if (!isRecord(stringData) || !(data === undefined || isRecord(data))) return manifest;
  const texts = Object.entries(stringData);
  if (!texts.every(([, text]) => typeof text === 'string')) return manifest;
  const encoded = texts.map(([key, text]) => [key, Buffer.from(text as string).toString('base64')]);
  return { ...rest, data: { ...data, ...Object.fromEntries(encoded) } } as Manifest;
}
