import type { LiveObject, Manifest } from '../../../operator/index.js';

interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly fieldsV1?: { readonly 'f:data'?: object };
}

/**
 * A ConfigMap without the files that the spec does not state and that a person wrote last: whoever changes a file that
 * the next spec drops, before the operator has taken it back, has it.
 */
export function withoutOthersFiles<T extends LiveObject>(live: T, wanted: Manifest, person: string): T {
  const stated = dataOf(wanted) ?? {};
  const ours = Object.entries(dataOf(live) ?? {}).filter(
    ([file]) => Object.hasOwn(stated, file) || !isOwnedAlone(live, file, person),
  );
  const { data: _, ...rest } = live as T & { data?: object };
  return (ours.length > 0 ? { ...rest, data: Object.fromEntries(ours) } : rest) as T;
}

function isOwnedAlone({ metadata }: LiveObject, file: string, person: string): boolean {
  const { managedFields = [] } = metadata as { managedFields?: readonly ManagedFieldsEntry[] };
  const owners = managedFields.filter(({ fieldsV1 }) => Object.hasOwn(fieldsV1?.['f:data'] ?? {}, `f:${file}`));
  return owners.length > 0 && owners.every(({ manager }) => manager === person);
}

function dataOf(object: Manifest): Readonly<Record<string, string>> | undefined {
  return (object as { readonly data?: Readonly<Record<string, string>> }).data;
}
