import { isPaused } from '../kubernetes/pause.js';
import type { Controller } from './controller.js';
import type { CustomResource } from './custom-resource.js';
import { callUserCode } from './user-code.js';

/** Milliseconds until a resource is to be deleted, at least 1. Undefined if it stays, is paused, or is being deleted already. */
export function untilExpired(
  controller: Pick<Controller, 'name' | 'expiresAt'>,
  resource: CustomResource,
  now: number,
): number | undefined {
  const at = expiryOf(controller, resource);
  return at === undefined ? undefined : Math.max(1, at - now);
}

/**
 * When a resource is to be deleted, in milliseconds since 1970. Undefined if it stays, is paused, or is being deleted
 * already.
 */
export function expiryOf(
  controller: Pick<Controller, 'name' | 'expiresAt'>,
  resource: CustomResource,
): number | undefined {
  const { deletionTimestamp } = resource.metadata;
  if (!controller.expiresAt || deletionTimestamp !== undefined || isPaused(resource)) return undefined;
  return callUserCode(controller.name, 'expiresAt', () => controller.expiresAt?.(resource));
}
