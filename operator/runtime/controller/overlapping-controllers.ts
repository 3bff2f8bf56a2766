import { groupKindOf } from '../kubernetes/kinds.js';
import type { Controller } from './controller.js';
import { crossNamespaceKinds } from './owned-kinds.js';
import { reportsElsewhere } from './owned-status.js';

/**
 * Refuses controllers that would overwrite each other's status or delete each other's objects.
 * @throws {Error} that names both controllers, and what both claim
 */
export function refuseOverlappingControllers(controllers: readonly Controller[]): void {
  controllers.forEach((one, index) => {
    for (const other of controllers.slice(0, index)) refuseBoth(other, one);
  });
}

function refuseBoth(one: Controller, other: Controller): void {
  if (one.name === other.name) throw new Error(`two controllers are named ${one.name}: rename one of them`);
  if (groupKindOf(one.kind) !== groupKindOf(other.kind)) return;
  const both = `controllers ${one.name} and ${other.name} of ${one.kind.kind}`;
  if (!reportsElsewhere(one) && !reportsElsewhere(other)) refuseSameStatus(one, other);
  if (crossNamespaceKinds(one).length > 0 && crossNamespaceKinds(other).length > 0) {
    throw new Error(`${both} both create objects in other namespaces: leave that to one of them`);
  }
}

function refuseSameStatus(one: Controller, other: Controller): void {
  const both = `controllers ${one.name} and ${other.name} of ${one.kind.kind}`;
  if (one.isPrimary && other.isPrimary) throw new Error(`${both} are both primary: give one of them secondaryFor`);
  const condition = [...one.ownedStatus.conditions].find((type) => other.ownedStatus.conditions.has(type));
  if (condition !== undefined) throw new Error(`${both} both report condition ${condition}: leave it to one of them`);
  const field = [...one.ownedStatus.fields].find((name) => name !== 'conditions' && other.ownedStatus.fields.has(name));
  if (field !== undefined) throw new Error(`${both} both write status.${field}: give each its own statusFields`);
}
