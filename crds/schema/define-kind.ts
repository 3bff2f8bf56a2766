import type { Kind, KindDefinition, VersionDefinition } from './kind.js';
import { kindProblems } from './kind-checks.js';

/**
 * A kind whose schema the API server takes.
 * @throws {SchemaError} when it would not, or when a default, a path or a name cannot be right
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

/** A kind that cannot be: each line of the message is a place, what is wrong there, and what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
