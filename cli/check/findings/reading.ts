import { isApiError } from '../../../operator/runtime/kubernetes/errors.js';
import type { ObjectKind } from '../../../operator/runtime/kubernetes/kinds.js';

/** What was read, or the permission that the user lacks for it. */
export type Reading<T> = { readonly value: T } | { readonly missing: string };

/** Reads something. Only a missing permission is no error. @param right what the user must be allowed to do */
export async function reading<T>(right: string, read: () => Promise<T>): Promise<Reading<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    if (isApiError(error, 'Forbidden') || isApiError(cause, 'Forbidden')) return { missing: right };
    throw error;
  }
}

/** A permission in words, such as `list pods in namespace shop`. @param namespace undefined for all namespaces */
export function rightTo(verb: string, { plural, group, namespaced }: ObjectKind, namespace?: string): string {
  const resource = group === '' ? plural : `${plural}.${group}`;
  if (!namespaced) return `${verb} ${resource}`;
  return `${verb} ${resource} in ${namespace === undefined ? 'all namespaces' : `namespace ${namespace}`}`;
}
