import { pathToFileURL } from 'node:url';
import type { CustomResourceDefinition, CustomResourceVersion, JsonSchema } from '../../crds/index.js';
import type { Definition } from '../../crds/schema/json.js';
import { servedVersions } from './crds/served-versions.js';
import { type InterfaceSchema, InterfaceSchemas } from './interface-schema.js';
import { camel, kindFile, literal, pascal } from './names.js';
import { optionalPeer } from './optional-peer.js';
import type { Declaration, Module } from './sharing/declaration.js';
import { interfaceDeclarations } from './sharing/interface-declarations.js';

/**
 * The module of one kind. For each served version it has the interfaces of the stored resource, spec and status, an
 * interface of the spec as input, and a constant that names the kind and carries its types.
 */
export async function kindModule(crd: CustomResourceDefinition): Promise<Module> {
  const versions = await Promise.all(servedVersions(crd).map((version, index) => ofVersion(crd, version, index === 0)));
  const head = "import type { ResourceMetadata } from './resource-metadata.js';\n";
  return { file: kindFile(crd.spec.names.kind), head, declarations: versions.flat() };
}

/** The interfaces of definitions, as those of the kinds that use them. */
export async function definitionInterfaces(definitions: readonly Definition[]): Promise<readonly Declaration[]> {
  const properties = definitions.flatMap(({ name, json }) => {
    // One for each, so that a part of two definitions does not get the name of the longer path.
    const schemas = new InterfaceSchemas();
    return [
      [name, schemas.of(json, name, 'stored')] as const,
      [`${name}Input`, schemas.of(json, name, 'input')] as const,
    ];
  });
  const root = { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
  const roots = new Set(properties.map(([name]) => name));
  const declarations = (await interfaces(root, 'Definitions')).filter(({ name }) => name !== 'Definitions');
  return declarations.map((one) => (roots.has(one.name) ? { ...one, isNamed: true } : one));
}

async function ofVersion(
  crd: CustomResourceDefinition,
  version: CustomResourceVersion,
  plainName: boolean,
): Promise<readonly Declaration[]> {
  const name = pascal(crd.spec.names.kind) + (plainName ? '' : pascal(version.name));
  const code = constant(crd, version, name);
  const declarations = await interfaces(kindSchema(crd, version, name), `${name}Kind`);
  return [...declarations, { name: `${camel(name)}Kind`, comment: '', code }];
}

async function interfaces(root: InterfaceSchema, name: string): Promise<readonly Declaration[]> {
  const { compile } = (await import(
    pathToFileURL(optionalPeer('json-schema-to-typescript')).href
  )) as typeof import('json-schema-to-typescript');
  const code = await compile(root as Parameters<typeof compile>[0], name, {
    bannerComment: '',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 120 },
  });
  return interfaceDeclarations(readonly(code));
}

/** The identity of a kind in the API, and the status fields that a controller may write. */
function identity(crd: CustomResourceDefinition, version: CustomResourceVersion) {
  const { group, names, scope } = crd.spec;
  const statusFields = Object.keys(version.schema.openAPIV3Schema.properties?.['status']?.properties ?? {});
  return {
    group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    namespaced: scope === 'Namespaced',
    ...(statusFields.length > 0 && { statusFields }),
  };
}

function constant(crd: CustomResourceDefinition, version: CustomResourceVersion, name: string): string {
  const members = Object.entries(identity(crd, version)).map(([key, value]) => `  ${key}: ${codeOf(value)},\n`);
  const text = `/** Names the kind ${crd.spec.names.kind} (${crd.spec.group}/${version.name}) and carries its types. */`;
  return `${text}\nexport const ${camel(name)}Kind: ${name}Kind = {\n${members.join('')}};\n`;
}

function kindSchema(crd: CustomResourceDefinition, version: CustomResourceVersion, name: string): InterfaceSchema {
  const schemas = new InterfaceSchemas();
  const spec = version.schema.openAPIV3Schema.properties?.['spec'];
  const entries = Object.entries(identity(crd, version)).map(([key, value]) => [
    key,
    { tsType: Array.isArray(value) ? 'string[]' : codeOf(value) },
  ]);
  const types = {
    resource: resourceSchema(crd, version, name, schemas),
    ...(spec?.properties && { specInput: schemas.of(spec, `${name}Spec`, 'input') }),
  };
  return {
    title: `${name}Kind`,
    description: `Names the kind. The fields ${Object.keys(types).join(' and ')} are never set; they carry types.`,
    type: 'object',
    required: entries.map(([key]) => key),
    properties: { ...Object.fromEntries(entries), ...types },
    additionalProperties: false,
  };
}

/** A whole stored resource, including fields beside spec and status. */
function resourceSchema(
  crd: CustomResourceDefinition,
  version: CustomResourceVersion,
  name: string,
  schemas: InterfaceSchemas,
): InterfaceSchema {
  const { description, properties = {}, required = [], ...schema } = version.schema.openAPIV3Schema;
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...own } = properties;
  const body: JsonSchema = { type: 'object', properties: own, required: required.filter((key) => key in own) };
  const { properties: fields, required: always } = schemas.fields(body, name, 'stored') as {
    readonly properties: object;
    readonly required: readonly string[];
  };
  return {
    title: `${name}Resource`,
    description,
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata', ...always],
    properties: {
      apiVersion: { tsType: literal(`${crd.spec.group}/${version.name}`) },
      kind: { tsType: literal(crd.spec.names.kind) },
      metadata: { tsType: 'ResourceMetadata' },
      ...fields,
    },
    additionalProperties: schema['x-kubernetes-preserve-unknown-fields'] ? {} : false,
  };
}

/** Marks every member and every list of interfaces as readonly. Other lists are already readonly. */
function readonly(code: string): string {
  return code.replace(
    /^( +)('[^']*'|"[^"]*"|\[k: string\]|[\p{ID_Continue}$]+)(\??: ?)(.*)$/gmu,
    (_line, indent, key, colon, type: string) => {
      const lists = type.replace(/'[^']*'|"[^"]*"|[\w$]+(\[\])+/g, (list) =>
        /^['"]/.test(list)
          ? list
          : list
              .split('[]')
              .slice(1)
              .reduce((inner) => `ReadonlyArray<${inner}>`, list.split('[]')[0] ?? ''),
      );
      return `${indent}readonly ${key}${colon}${lists}`;
    },
  );
}

function codeOf(value: string | boolean | readonly string[]): string {
  if (typeof value === 'string') return literal(value);
  return typeof value === 'boolean' ? String(value) : `[${value.map(codeOf).join(', ')}]`;
}
