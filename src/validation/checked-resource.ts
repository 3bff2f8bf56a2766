import type { ApiObject } from 'cdk8s';
import type { Kind } from '../../crds/index.js';
import { resourceProblems, type UncheckedResource } from '../../crds/resource-problems.js';
import { versionSchema } from '../../crds/schema/crd.js';
import type { JsonSchema } from '../../crds/schema/json.js';
import { droppedFields, unwrapped } from './dropped-fields.js';
import { misreadTexts } from './misread-text.js';
import { requireUnique } from './unique-objects.js';

/** The generated class of a resource. */
interface ResourceClass {
  // biome-ignore lint/suspicious/noExplicitAny: TypeScript requires this type of the constructor of a mixin
  new (...args: any[]): ApiObject;
  readonly GVK: { readonly apiVersion: string; readonly kind: string };
  manifest(props: never): UncheckedResource;
}

/**
 * A generated class whose values `cdk8s synth` checks against the schema of the kind. The generated class itself writes
 * every value that it knows, and drops the others.
 * @param checks returns the problems that the schema cannot express, of a spec that matches it and of a name
 * @throws {Error} if the kind does not have the version of the class
 */
export function checked<Class extends ResourceClass>(
  base: Class,
  kind: Kind,
  checks: (spec: never, name: string) => readonly string[] = () => [],
): Class {
  const { apiVersion } = base.GVK;
  const version = kind.versions.find(({ name }) => apiVersion === `${kind.group}/${name}`);
  if (!version) throw new Error(`${kind.name} has no version ${apiVersion}; run npm run generate`);
  const schema = versionSchema(version);
  return class extends base {
    // biome-ignore lint/suspicious/noExplicitAny: TypeScript requires this type of the constructor of a mixin
    constructor(...args: any[]) {
      super(...args);
      const props: UncheckedResource = args[2] ?? {};
      const validate = () => {
        const problems = problemsOf(this, { props, manifest: () => base.manifest(props as never), schema, checks });
        return problems.length > 0 ? [...problems] : [...misreadTexts(this.toJson())];
      };
      this.node.addValidation({ validate });
      requireUnique(this);
    }
  };
}

/** What a resource is checked with. */
interface Given {
  /** What the author of the app wrote. */
  readonly props: UncheckedResource;
  /** What the class makes of the props. */
  readonly manifest: () => UncheckedResource;
  readonly schema: JsonSchema;
  readonly checks: (spec: never, name: string) => readonly string[];
}

function problemsOf(resource: ApiObject, { props, manifest, schema, checks }: Given): readonly string[] {
  const problems = fieldProblems(resource, { props, manifest, schema });
  if (problems.length > 0) return problems;
  const { spec } = resource.toJson() as UncheckedResource;
  return checks(spec as never, resource.name);
}

function fieldProblems(resource: ApiObject, { props, manifest, schema }: Omit<Given, 'checks'>): readonly string[] {
  try {
    const dropped = droppedFields(schema, props, { manifest: manifest(), kind: resource.kind });
    const others = resourceProblems(schema, resource.toJson() as UncheckedResource);
    return [...dropped.values(), ...others.filter((problem) => !dropped.has(problem.slice(0, problem.indexOf(':'))))];
  } catch (error) {
    // The class fails without the name of a field if a value has another type than the field.
    const problems = resourceProblems(schema, { ...unwrapped(props), metadata: { name: resource.name } });
    if (problems.length === 0) throw error;
    return problems;
  }
}

/** Problems of a spec, with the path from the resource. */
export function inSpec(problems: readonly string[]): readonly string[] {
  return problems.map((problem) => `spec.${problem}`);
}
