import { groupKindOf } from '../kubernetes/kinds.js';
import type { Controller } from './controller.js';
import { crossNamespaceKinds } from './owned-kinds.js';

/**
 * Controllers that would take each other's words or objects away are not run together.
 * @throws {Error} that names the two, and what both want
 */
export function refuseOverlappingControllers(controllers: readonly Controller[]): void {
  controllers.forEach((one, index) => {
    for (const other of controllers.slice(0, index)) refuseBoth(other, one);
  });
}

function refuseBoth(one: Controller, other: Controller): void {
  if (one.name === other.name) throw new Error(`two controllers are called ${one.name}: give one another name`);
  if (groupKindOf(one.kind) !== groupKindOf(other.kind)) return;
  const both = `controllers ${one.name} and ${other.name} of ${one.kind.kind}`;
  if (one.isPrimary && other.isPrimary) throw new Error(`${both} are both primary: give one of them a filter`);
  const condition = [...one.share.conditions].find((type) => other.share.conditions.has(type));
  if (condition !== undefined) throw new Error(`${both} both say ${condition}: leave it to one of them`);
  const field = [...one.share.fields].find((name) => name !== 'conditions' && other.share.fields.has(name));
  if (field !== undefined) throw new Error(`${both} both fill in status.${field}: give each its own statusFields`);
  if (crossNamespaceKinds(one).length > 0 && crossNamespaceKinds(other).length > 0) {
    throw new Error(`${both} both make objects in other namespaces: leave that to one of them`);
  }
}
