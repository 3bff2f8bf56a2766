import { ApiObject, App, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Controller } from '../controller/controller.js';
import type { Facts } from '../controller/facts.js';
import { crossNamespaceKinds } from '../controller/owned-kinds.js';
import { callUserCode } from '../controller/user-code.js';
import { RejectedError } from '../kubernetes/errors.js';
import { isRecord } from '../kubernetes/json.js';
import { groupKindOf, groupOf, type ObjectKind, Secret } from '../kubernetes/kinds.js';
import { keyOf, type Manifest, type ObjectKey } from '../kubernetes/object.js';
import { isToBeMadeOnce, type ReplacePolicy, replacePolicyOf } from './object-policies.js';
import { waveOf } from './waves.js';

/** An object that should exist, as the constructs rendered it. */
export interface Desired {
  readonly kind: ObjectKind;
  readonly key: ObjectKey;
  readonly manifest: Manifest;
  /** Written after those of every lower wave, together with those of its own. */
  readonly wave: number;
  readonly replace: ReplacePolicy;
  /** Left as it was made. */
  readonly once: boolean;
  /** True where no owner reference of the resource reaches. */
  readonly crossNamespace: boolean;
}

/** `Deployment web` */
export function describe({ kind, manifest }: Pick<Desired, 'kind' | 'manifest'>): string {
  return `${kind.kind} ${manifest.metadata.name}`;
}

/** Of a line of the log that tells of it. */
export function fieldsOf(
  { kind, key }: Desired,
  { controller, resource }: { readonly controller: Controller; readonly resource: Facts['resource'] },
): { readonly [field: string]: string } {
  return { controller: controller.name, key: keyOf(resource.metadata), object: `${groupKindOf(kind)} ${key}` };
}

/**
 * Runs `desire` in a construct tree of its own and renders what it put there.
 *
 * @throws {RejectedError} when `desire` rejects the spec, or a construct's validation does
 * @throws {Error} when the tree holds what the controller does not declare: the controller is wrong, not the spec
 */
export function render(controller: Controller, facts: Facts): Desired[] {
  const chart = new ExplicitlyNamed(new App(), 'resource', facts.resource.metadata.namespace);
  const ask = <T>(part: () => T) => callUserCode(controller.name, 'desire', part);
  ask(() => controller.desire(chart, facts));

  const constructs = chart.node.findAll();
  const complaints = ask(() => constructs.flatMap((construct) => construct.node.validate()));
  if (complaints.length > 0) throw new RejectedError('Invalid', complaints.join('; '));

  const objects = constructs.filter(ApiObject.isApiObject);
  const waves = new Map<IConstruct, number>();
  const manifests = ask(() => objects.map((object) => object.toJson() as Manifest)); // and what is found out late
  const desired = objects.map((object, index) =>
    desiredOf(object, manifests[index] as Manifest, { controller, facts, wave: waveOf(object, waves) }),
  );
  refuseTwins(controller, desired);
  return desired;
}

/** As {@link render}, with a rejection as a value: it is an answer, no failure. */
export function renderOrReject(controller: Controller, facts: Facts): Desired[] | RejectedError {
  try {
    return render(controller, facts);
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
    throw new Error(`${controller.name} renders ${name} ${metadata.name} into no namespace: set metadata.namespace`);
  }
  const crossNamespace = home !== undefined && namespace !== home;
  if (crossNamespace && !crossNamespaceKinds(controller).includes(kind)) {
    throw new Error(
      `${controller.name} renders ${name} ${metadata.name} into namespace ${namespace}: an owner reference reaches ` +
        `no further than ${home}; put crossNamespace(${name}) into owns to own it all the same`,
    );
  }
  const policies = { replace: replacePolicyOf(object), once: isToBeMadeOnce(object) };
  return { kind, key: keyOf(placed.metadata), manifest: placed, wave, crossNamespace, ...policies };
}

/** A chart gives its namespace to all that is in it. */
function withoutNamespace(manifest: Manifest): Manifest {
  const { namespace: _, ...metadata } = manifest.metadata;
  return { ...manifest, metadata };
}

/** Two objects of one name would overwrite each other for ever. */
function refuseTwins(controller: Controller, desired: readonly Desired[]): void {
  const seen = new Set<string>();
  for (const { kind, key } of desired) {
    const one = `${groupKindOf(kind)} ${key}`;
    if (seen.has(one)) throw new Error(`${controller.name} renders ${one} twice: give each its own name`);
    seen.add(one);
  }
}

/** A name made from the place in the construct tree would differ between `cdk8s synth` and the operator. */
class ExplicitlyNamed extends Chart {
  constructor(scope: App, id: string, namespace: string | undefined) {
    super(scope, id, namespace === undefined ? {} : { namespace });
  }

  override generateObjectName(object: ApiObject): string {
    throw new Error(
      `${object.kind} at ${object.node.path} has no name: set metadata.name, derived from the resource's`,
    );
  }
}

/**
 * A Secret as the API server keeps it: what is stated as text (`stringData`) is data. The server never tells text back, so
 * that nobody could see whether it is still so, and which of it is wanted no more.
 *
 * What is no text stays as it is, for the server to refuse.
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
