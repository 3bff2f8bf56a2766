import type { Kind, KindDefinition, VersionDefinition } from './kind.js';
import { kindProblems } from './kind-checks.js';

/**
 * Defines a kind and checks that the API server accepts its schema.
 * @throws {SchemaError} if the API server would refuse it, or if a default, a path or a name is invalid
 */
export function defineKind<const Versions extends readonly VersionDefinition[]>(
  definition: KindDefinition<Versions>,
): Kind<Versions> {
  const singular = definition.singular ?? definition.kind.toLowerCase();
  const plural = definition.plural ?? `${singular}s`;
  const kind = { ...definition, singular, plural, name: `${plural}.${definition.group}` };
  const problems = kindProblems(kind);
  if (problems.length > 0) throw new SchemaError(problems);
  return kind;
}

/** An invalid kind. Each line of the message has a path, the problem, and what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
