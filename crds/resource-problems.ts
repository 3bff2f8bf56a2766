import { DNS_SUBDOMAIN } from './fields/names.js';
import { defaulted } from './schema/defaults.js';
import type { JsonSchema } from './schema/json.js';
import { valueProblems } from './schema/value-problems.js';

const named: JsonSchema = { type: 'string', maxLength: 253, pattern: DNS_SUBDOMAIN };

/** A resource that no API server has checked. */
export interface UncheckedResource {
  readonly metadata?: { readonly name?: unknown };
  readonly spec?: unknown;
}

/**
 * The problems of a resource in the form of the API server, each with its path. The spec is checked with its defaults.
 * @param whole the schema of the resource in its version
 */
export function resourceProblems(whole: JsonSchema, resource: UncheckedResource): readonly string[] {
  const known = new Set(['apiVersion', 'kind', 'metadata', ...Object.keys(whole.properties ?? {})]);
  const strangers = whole['x-kubernetes-preserve-unknown-fields']
    ? []
    : Object.keys(resource).filter((name) => !known.has(name));
  return [
    ...nameProblems(resource),
    ...strangers.map((name) => `${name}: Unknown field`),
    ...specProblems(whole, resource.spec),
  ];
}

/** The problem of the name of a resource. */
export function nameProblems({ metadata }: UncheckedResource): readonly string[] {
  return valueProblems(named, metadata?.name, 'metadata.name');
}

function specProblems({ properties, required }: JsonSchema, spec: unknown): readonly string[] {
  const schema = properties?.['spec'];
  if (!schema) return [];
  if ((spec ?? undefined) === undefined) return required?.includes('spec') ? ['spec: Required value'] : [];
  return valueProblems(schema, defaulted(spec, schema), 'spec');
}
