import type { ObjectKind } from '../runtime/kubernetes/kinds.js';

/** The path of a version of a group. */
export function versionPathOf({ group, version }: Pick<ObjectKind, 'group' | 'version'>): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** The path of a kind's collection, or of one of its objects. */
export function pathOf(
  kind: ObjectKind,
  at: { namespace?: string | undefined; name?: string; subresource?: string },
): string {
  const parts = [versionPathOf(kind)];
  if (kind.namespaced && at.namespace) parts.push('namespaces', encodeURIComponent(at.namespace));
  parts.push(kind.plural);
  if (at.name !== undefined) parts.push(encodeURIComponent(at.name));
  if (at.subresource !== undefined) parts.push(at.subresource);
  return parts.join('/');
}

/** A query string of the parameters that are set, or an empty string. */
export function queryOf(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const set: string[] = [];
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '' && value !== false) set.push(`${key}=${encodeURIComponent(value)}`);
  }
  return set.length === 0 ? '' : `?${set.join('&')}`;
}
