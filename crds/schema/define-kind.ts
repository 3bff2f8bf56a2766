import type { Kind, KindDefinition, VersionDefinition } from './kind.js';
import { kindProblems } from './kind-checks.js';
import type { StoredOf } from './schema.js';
import { type StatusSchema, withRuntimeFields } from './status.js';

/** A version whose status has the fields that the runtime writes. */
type Completed<V> = V extends { readonly status: infer S }
  ? Omit<V, 'status'> & { readonly status: StatusSchema<S> }
  : V;

/** The kind that follows from the definitions of its versions. */
export type KindOf<Versions extends readonly VersionDefinition[]> = Kind<{
  readonly [V in keyof Versions]: Completed<Versions[V]>;
}>;

/** The status of a kind as the API server stores it, in the stored version. */
export type StatusOf<K extends Kind> =
  Extract<K['versions'][number], { readonly storage: true }> extends { readonly status: infer S } ? StoredOf<S> : never;

/**
 * Defines a kind and checks that the API server accepts its schema. Each status gets the fields that the runtime writes,
 * where the schema does not declare them: `observedGeneration` with the default -1, and `conditions`.
 * @throws {SchemaError} if the API server would refuse it, or if a default, a path or a name is invalid
 */
export function defineKind<const Versions extends readonly VersionDefinition[]>(
  definition: KindDefinition<Versions>,
): KindOf<Versions> {
  const singular = definition.singular ?? definition.kind.toLowerCase();
  const plural = definition.plural ?? `${singular}s`;
  const versions = definition.versions.map(({ status, ...version }) =>
    status ? { ...version, status: withRuntimeFields(status) } : version,
  );
  const kind = { ...definition, versions, singular, plural, name: `${plural}.${definition.group}` };
  const problems = kindProblems(kind);
  if (problems.length > 0) throw new SchemaError(problems);
  return kind as Kind as KindOf<Versions>;
}

/** An invalid kind. Each line of the message has a path, the problem, and what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
