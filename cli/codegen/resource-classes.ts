import type { CustomResourceDefinition, CustomResourceVersion, JsonSchema } from '../../crds/index.js';
import { comment } from './class-code.js';
import { ClassTypes, METADATA } from './class-types.js';
import { definitionsIn } from './crds/definitions.js';
import { servedVersions } from './crds/served-versions.js';
import { acronymless, literal, pascal } from './names.js';
import type { Declaration, Module } from './sharing/declaration.js';

const IMPORTS = `import { ApiObject, type ApiObjectMetadata, type GroupVersionKind } from 'cdk8s';
import type { Construct } from 'constructs';
`;

/**
 * The cdk8s classes for resources, one module per API group. Classes and fields are named as \`cdk8s import\` names them.
 *
 * The class of the storage version has the plain name. Names of other classes end with their version.
 */
export function resourceClasses(crds: readonly CustomResourceDefinition[], classPrefix: string): readonly Module[] {
  const sorted = crds.toSorted((one, other) => (kindOf(one) < kindOf(other) ? -1 : 1));
  const groups = [...new Set(crds.map(({ spec }) => spec.group))].sort();
  return groups.map((group) => {
    const ofGroup = sorted.filter(({ spec }) => spec.group === group);
    return { file: `${group}.ts`, head: IMPORTS, declarations: groupDeclarations(ofGroup, classPrefix) };
  });
}

const kindOf = ({ spec }: CustomResourceDefinition) => spec.names.kind.toLowerCase();

function groupDeclarations(crds: readonly CustomResourceDefinition[], classPrefix: string): readonly Declaration[] {
  const types = new ClassTypes(classPrefix);
  return crds.flatMap((crd) =>
    servedVersions(crd).flatMap((version, index) =>
      ofVersion(types, crd, version, index === 0 ? '' : pascal(version.name)),
    ),
  );
}

/** The types of the definitions that the classes use. */
export function definitionTypes(
  crds: readonly CustomResourceDefinition[],
  classPrefix: string,
): readonly Declaration[] {
  const types = new ClassTypes(classPrefix);
  const schemas = crds.flatMap((crd) => servedVersions(crd).map(({ schema }) => propsSchema(schema.openAPIV3Schema)));
  for (const { name, json } of definitionsIn(schemas))
    types.struct(json, types.free(name), { title: name, isNamed: true });
  return types.rest();
}

function ofVersion(
  types: ClassTypes,
  { spec }: CustomResourceDefinition,
  version: CustomResourceVersion,
  suffix: string,
): readonly Declaration[] {
  const { kind } = spec.names;
  const schema = propsSchema(version.schema.openAPIV3Schema);
  const name = types.free(acronymless(pascal(kind)) + suffix);
  const props = types.struct(schema, types.free(`${name}Props`), { title: name, isOfClass: true });
  const code = classCode(types.named(name), {
    title: kind + suffix,
    props: props.type,
    json: props.toJson,
    isOptional: (schema.required ?? []).length === 0,
    description: schema.description,
    gvk: { apiVersion: `${spec.group}/${version.name}`, kind },
  });
  return [{ name, comment: '', code }, ...types.rest()];
}

/** The fields of a resource that a user writes. */
function propsSchema(schema: JsonSchema): JsonSchema {
  const { apiVersion: _a, kind: _k, status: _s, metadata: _m, ...own } = schema.properties ?? {};
  const required = (schema.required ?? []).filter((field) => field in own);
  return { ...schema, type: 'object', properties: { metadata: METADATA, ...own }, required };
}

interface ClassProps {
  /** The kind, with the version unless it is stored. */
  readonly title: string;
  /** The type of the props, and the code that converts them. */
  readonly props: string;
  readonly json: (props: string) => string;
  readonly isOptional: boolean;
  readonly description: string | undefined;
  readonly gvk: { readonly apiVersion: string; readonly kind: string };
}

function classCode(name: string, { title, props, json, isOptional, description, gvk }: ClassProps): string {
  const parameter = `props: ${props}${isOptional ? ' = {}' : ''}`;
  return `${comment(description, title, { isDefaultTold: false })}export class ${name} extends ApiObject {
  /**
   * Returns the apiVersion and kind for "${title}"
   */
  public static readonly GVK: GroupVersionKind = {
    apiVersion: ${literal(gvk.apiVersion)},
    kind: ${literal(gvk.kind)},
  }

  /**
   * Renders a Kubernetes manifest for "${title}".
   *
   * This can be used to inline resource manifests inside other objects (e.g. as templates).
   *
   * @param props initialization props
   */
  public static manifest(${parameter}): any {
    return {
      ...${name}.GVK,
      ...${json('props')},
    };
  }

  /**
   * Defines a "${title}" API object
   * @param scope the scope in which to define this object
   * @param id a scope-local name for the object
   * @param props initialization props
   */
  public constructor(scope: Construct, id: string, ${parameter}) {
    super(scope, id, {
      ...${name}.GVK,
      ...props,
    });
  }

  /**
   * Renders the object to Kubernetes JSON.
   */
  public override toJson(): any {
    const resolved = super.toJson();

    return {
      ...${name}.GVK,
      ...${json('resolved')},
    };
  }
}
`;
}
