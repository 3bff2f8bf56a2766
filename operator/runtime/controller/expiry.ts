import type { Controller } from './controller.js';
import type { CustomResource } from './custom-resource.js';
import { callUserCode } from './user-code.js';

/** Milliseconds until a resource is to be deleted, at least 1. Undefined if it stays, or is being deleted already. */
export function untilExpired(
  controller: Pick<Controller, 'name' | 'expiresAt'>,
  resource: CustomResource,
  now: number,
): number | undefined {
  const at = expiryOf(controller, resource);
  return at === undefined ? undefined : Math.max(1, at - now);
}

/** When a resource is to be deleted, in milliseconds since 1970. Undefined if it stays, or is being deleted already. */
export function expiryOf(
  controller: Pick<Controller, 'name' | 'expiresAt'>,
  resource: CustomResource,
): number | undefined {
  if (!controller.expiresAt || resource.metadata.deletionTimestamp !== undefined) return undefined;
  return callUserCode(controller.name, 'expiresAt', () => controller.expiresAt?.(resource));
}
