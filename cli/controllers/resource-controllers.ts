import type { Controller } from '../../operator/runtime/controller/controller.js';
import { apiVersionOf, groupKindOf, groupOf } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type Manifest, type ObjectName } from '../../operator/runtime/kubernetes/object.js';

/**
 * The objects that are resources of the controllers.
 * @throws {Error} when none is
 */
export function resourcesAmong(objects: readonly Manifest[], controllers: readonly Controller[]): readonly Manifest[] {
  const resources = objects.filter((object) => controllers.some((controller) => isResourceOf(controller, object)));
  const [first] = objects;
  if (resources.length === 0 && first) controllerFor(controllers, first);
  return resources;
}

/** Whether an object is a resource that a controller leads. */
function isResourceOf({ kind, isPrimary }: Controller, object: Manifest): boolean {
  return isPrimary && kind.kind === object.kind && kind.group === groupOf(object.apiVersion);
}

/**
 * The controller of a resource.
 * @throws {Error} when there is none, or it runs another version
 */
export function controllerFor(controllers: readonly Controller[], resource: Manifest): Controller {
  const found = controllers.find((controller) => isResourceOf(controller, resource));
  const { apiVersion, kind } = resource;
  if (!found)
    throw new Error(`no controller runs ${kind} of ${apiVersion}: there are those of ${kindsRun(controllers)}`);
  if (apiVersionOf(found.kind) === apiVersion) return found;
  throw new Error(`${found.name} runs ${kind} as ${apiVersionOf(found.kind)}, got ${apiVersion}: convert the resource`);
}

/** The controller of a kind that somebody typed: `Algorithm`, `algorithms`, `algorithms.ai.alien6.io`. */
export function controllerNamed(controllers: readonly Controller[], name: string): Controller | undefined {
  const wanted = name.toLowerCase();
  return controllers.find(
    ({ isPrimary, kind: { kind, plural, group } }) =>
      isPrimary && [kind.toLowerCase(), plural].some((one) => wanted === one || wanted === `${one}.${group}`),
  );
}

/** The controllers of a resource that have objects: the one that leads, and then those that are beside it. */
export function allBeside(leader: Controller, controllers: readonly Controller[]): readonly Controller[] {
  const isOfKind = ({ kind }: Controller) => groupKindOf(kind) === groupKindOf(leader.kind);
  return [leader, ...controllers.filter((one) => isOfKind(one) && !one.isPrimary && one.owns.length > 0)];
}

/** What people call an object: `ConfigMap team/web`. */
export function titleOf({ kind, metadata }: { readonly kind: string; readonly metadata: ObjectName }): string {
  return `${kind} ${keyOf(metadata)}`;
}

/** The kinds of which there are controllers, for a message. */
export function kindsRun(controllers: readonly Controller[]): string {
  const leading = controllers.filter(({ isPrimary }) => isPrimary);
  return leading.map(({ kind }) => groupKindOf(kind)).join(', ');
}
