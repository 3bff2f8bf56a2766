import type { Controller } from '../../operator/runtime/controller/controller.js';
import { apiVersionOf, groupKindOf, groupOf } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type Manifest, type ObjectName } from '../../operator/runtime/kubernetes/object.js';

/**
 * The objects that are resources of the controllers.
 * @throws {Error} if there is none
 */
export function resourcesAmong(objects: readonly Manifest[], controllers: readonly Controller[]): readonly Manifest[] {
  const resources = objects.filter((object) => controllers.some((controller) => isResourceOf(controller, object)));
  const [first] = objects;
  if (resources.length === 0 && first) controllerFor(controllers, first);
  return resources;
}

/** Whether a controller is the primary controller of an object. */
function isResourceOf({ kind, isPrimary }: Controller, object: Manifest): boolean {
  return isPrimary && kind.kind === object.kind && kind.group === groupOf(object.apiVersion);
}

/**
 * The primary controller of a resource.
 * @throws {Error} if there is none, or if it uses another API version
 */
export function controllerFor(controllers: readonly Controller[], resource: Manifest): Controller {
  const found = controllers.find((controller) => isResourceOf(controller, resource));
  const { apiVersion, kind } = resource;
  if (!found)
    throw new Error(`no controller for ${kind} of ${apiVersion}; there are controllers for ${kindsRun(controllers)}`);
  if (apiVersionOf(found.kind) === apiVersion) return found;
  throw new Error(
    `apiVersion: Invalid value: ${JSON.stringify(apiVersion)}: must be ${apiVersionOf(found.kind)} for the controller ${found.name}; convert the resource`,
  );
}

/** The controller of a kind in user input, for example `Algorithm`, `algorithms` or `algorithms.ai.alien6.io`. */
export function controllerNamed(controllers: readonly Controller[], name: string): Controller | undefined {
  const wanted = name.toLowerCase();
  return controllers.find(
    ({ isPrimary, kind: { kind, plural, group } }) =>
      isPrimary && [kind.toLowerCase(), plural].some((one) => wanted === one || wanted === `${one}.${group}`),
  );
}

/** The controllers of a resource that own objects or send calls: the primary one first, then the others. */
export function allBeside(leader: Controller, controllers: readonly Controller[]): readonly Controller[] {
  const isOfKind = ({ kind }: Controller) => groupKindOf(kind) === groupKindOf(leader.kind);
  const others = controllers.filter((one) => isOfKind(one) && one.name !== leader.name);
  return [leader, ...others.filter(({ calls, owns }) => owns.length + calls.length > 0)];
}

/** Kind and name of an object for messages, for example `ConfigMap team/web`. */
export function titleOf({ kind, metadata }: { readonly kind: string; readonly metadata: ObjectName }): string {
  return `${kind} ${keyOf(metadata)}`;
}

/** The kinds with a controller, for a message. */
export function kindsRun(controllers: readonly Controller[]): string {
  const leading = controllers.filter(({ isPrimary }) => isPrimary);
  return leading.map(({ kind }) => groupKindOf(kind)).join(', ');
}
