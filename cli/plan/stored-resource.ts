import type { CustomResourceDefinition } from '../../crds/index.js';
import { nameProblems, resourceProblems } from '../../crds/resource-problems.js';
import { defaulted } from '../../crds/schema/defaults.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import type { Manifest } from '../../operator/runtime/kubernetes/object.js';
import { titleOf } from '../controllers/resource-controllers.js';

/** A resource as the API server would store it, as far as this is known without one. */
export interface StoredResource {
  readonly resource: CustomResource;
  /** Whether a schema was available for defaults and validation. */
  readonly isChecked: boolean;
}

/**
 * Fills in the fields that the API server would set: defaults of the schema, namespace and generation.
 * @throws {Error} with all violations, if the name is invalid or the resource does not match the schema
 */
export function storedResource(
  { kind }: Controller,
  manifest: Manifest,
  { namespace, definitions }: { readonly namespace: string; readonly definitions: readonly CustomResourceDefinition[] },
): StoredResource {
  const at = kind.namespaced ? { namespace, ...manifest.metadata } : manifest.metadata;
  const identity = { uid: '00000000-0000-0000-0000-000000000000', resourceVersion: '1', generation: 1 };
  const resource: CustomResource = { ...manifest, metadata: { ...at, ...identity } };
  const misnamed = nameProblems(resource);
  if (misnamed.length > 0) throw new Error(`${titleOf(resource)} is invalid:\n${listed(misnamed)}`);
  const definition = definitions.find(({ spec }) => spec.group === kind.group && spec.names.kind === kind.kind);
  const version = definition?.spec.versions.find(({ name }) => name === kind.version);
  const whole = version?.schema.openAPIV3Schema;
  const schema = whole?.properties?.['spec'];
  if (!whole || !schema) return { resource, isChecked: false };
  const problems = resourceProblems(whole, resource);
  if (problems.length === 0) {
    return { resource: { ...resource, spec: defaulted(resource.spec ?? {}, schema) }, isChecked: true };
  }
  throw new Error(`${titleOf(resource)} does not match its schema:\n${listed(problems)}`);
}

function listed(problems: readonly string[]): string {
  return problems.map((one) => `  ${one}`).join('\n');
}
