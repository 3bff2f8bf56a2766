import { versionSchema } from './crd.js';
import { failing, fieldAt, fieldProblems } from './field-checks.js';
import type { JsonSchema } from './json.js';
import type { Column, Kind, Scale, VersionDefinition } from './kind.js';

/** The problems of a kind, one line each, with its path and what to do. */
export function kindProblems(kind: Kind): readonly string[] {
  const own = KIND_CHECKS.flatMap((check) => check(kind)).map((problem) => `${kind.name}: ${problem}`);
  const versions = kind.versions.flatMap((version) =>
    versionProblems(version).map((problem) => `${kind.name} ${version.name} ${problem}`),
  );
  return [...own, ...versions];
}

const LABEL = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const GROUP = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;
const PROTECTED_GROUP = /(^|\.)(k8s|kubernetes)\.io$/;

/** The checks of a kind that do not concern a single field, in the order of the problems. */
const KIND_CHECKS: readonly ((kind: Kind) => readonly string[])[] = [
  ({ group }) =>
    failing(!GROUP.test(group), `group ${group} must be a domain with a dot; use a group such as ai.example.com`),
  ({ group }) =>
    failing(
      PROTECTED_GROUP.test(group),
      `group ${group} must not belong to Kubernetes, which must approve its groups; use your own domain`,
    ),
  ({ name }) => failing(name.length > 253, `must be at most 253 characters; shorten the plural or the group`),
  ({ kind }) => failing(!/^[A-Z]/.test(kind), `kind ${kind} must start with a capital; write it in CamelCase`),
  ({ kind, singular, plural, shortNames = [], categories = [] }) =>
    [kind.toLowerCase(), singular, plural, ...shortNames, ...categories].flatMap((word) =>
      failing(
        !LABEL.test(word),
        `name ${JSON.stringify(word)} must be a DNS label; use up to 63 lower-case letters, digits and -, starting with a letter`,
      ),
    ),
  ({ singular, plural, shortNames = [] }) =>
    repeated([plural, ...shortNames, ...(singular === plural ? [] : [singular])]).map(
      (word) => `name ${word} must be used only once; choose another short name`,
    ),
  ({ versions }) =>
    repeated(versions.map(({ name }) => name)).map(
      (name) => `version ${name} must be listed only once; remove one of them`,
    ),
  ({ versions }) => {
    const stored = versions.filter(({ storage }) => storage).map(({ name }) => name);
    return failing(
      stored.length !== 1,
      `exactly one version must be stored, got ${stored.length} (${stored.join(', ')}); set storage on exactly one`,
    );
  },
  ({ versions }) =>
    failing(!versions.some(({ served }) => served), 'at least one version must be served; set served on one'),
  ({ versions }) => servedVersionProblems(versions.map((version) => ({ ...version, schema: versionSchema(version) }))),
];

function versionProblems(version: VersionDefinition): readonly string[] {
  const { properties = {}, ...root } = versionSchema(version);
  const place = { path: 'root', uncorrelated: false, count: 1 };
  const columns = version.columns ?? [];
  return [
    ...failing(!LABEL.test(version.name), 'name: must be a DNS label, such as v1 or v1beta2'),
    ...deprecationProblems(version.deprecated),
    ...fieldProblems({ ...root, properties: described(properties) }, place).map((problem) =>
      problem.replace(/^root\./, ''),
    ),
    ...repeated(columns.map(({ name }) => name)).map(
      (name) => `column ${name}: must be listed only once; rename one of them`,
    ),
    ...columns.flatMap((column) =>
      columnProblems(version, column).map((problem) => `column ${column.name}: ${problem}`),
    ),
    ...(version.scale ? scaleProblems(version, version.scale) : []).map((problem) => `scale: ${problem}`),
  ];
}

/** The fields of a version with a description for `metadata`, which every resource has. */
function described(properties: NonNullable<ReturnType<typeof versionSchema>['properties']>) {
  const { metadata, ...others } = properties;
  return metadata ? { ...others, metadata: { description: 'Name of the resource.', ...metadata } } : others;
}

function deprecationProblems(warning: string | undefined): readonly string[] {
  if (warning === undefined) return [];
  return failing(
    warning.length === 0 || warning.length > 256 || /[^\P{C}]/u.test(warning),
    'deprecated: must be 1 to 256 printable characters; write one short sentence',
  );
}

const METADATA_COLUMN = /^\.metadata\.(name|namespace|generation|creationTimestamp|labels|annotations)\b/;

function columnProblems(version: VersionDefinition, { name, jsonPath, type, priority = 0 }: Column): readonly string[] {
  const field = fieldAt(versionSchema(version), jsonPath);
  const types = COLUMN_TYPES[field?.type ?? 'any'] ?? COLUMN_TYPES.any;
  return [
    ...failing(!name.trim(), 'must have a name; add one'),
    ...failing(
      !Number.isInteger(priority) || priority < 0,
      `priority ${priority} must be a whole number of 0 or more; use 0 or 1`,
    ),
    ...failing(
      !field && !METADATA_COLUMN.test(jsonPath),
      `${jsonPath} must be the path of a field; write it as .spec.field`,
    ),
    ...failing(
      field && !types.includes(type),
      `type ${type} must fit the field ${jsonPath}; use ${types.join(' or ')}`,
    ),
  ];
}

const COLUMN_TYPES: Readonly<Record<string, readonly Column['type'][]>> & { readonly any: readonly Column['type'][] } =
  {
    any: ['string', 'integer', 'number', 'boolean', 'date'],
    string: ['string', 'date'],
    integer: ['integer', 'number', 'string'],
    number: ['number', 'string'],
    boolean: ['boolean', 'string'],
  };

function scaleProblems(version: VersionDefinition, scale: Scale): readonly string[] {
  const schema = versionSchema(version);
  const wanted = [
    ['specReplicasPath', scale.specReplicasPath, 'integer', ['.spec']],
    ['statusReplicasPath', scale.statusReplicasPath, 'integer', ['.status']],
    ['labelSelectorPath', scale.labelSelectorPath, 'string', ['.spec', '.status']],
  ] as const;
  return wanted.flatMap(([name, path, type, parents]) =>
    failing(
      path !== undefined &&
        !(
          parents.some((parent) => path.startsWith(`${parent}.`)) &&
          !path.includes('[') &&
          fieldAt(schema, path)?.type === type
        ),
      `${name} ${path} must be the path of a field of type ${type} below ${parents.join(' or ')}; correct the path`,
    ),
  );
}

function repeated(words: readonly string[]): readonly string[] {
  return [...new Set(words.filter((word, index) => words.indexOf(word) !== index))];
}

/** A version of a kind, as far as conversion is concerned. */
interface ConvertedVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: JsonSchema;
}

/**
 * The problems of served versions. Without a conversion webhook the API server changes only `apiVersion` between versions, and
 * drops every field that the other version lacks.
 * @see https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/
 */
export function servedVersionProblems(versions: readonly ConvertedVersion[]): readonly string[] {
  const stored = versions.find(({ storage }) => storage);
  if (!stored) return [];
  const others = versions.filter((version) => version.served && version !== stored);
  return others
    .filter(({ schema }) => shapeOf(schema) !== shapeOf(stored.schema))
    .map(
      ({ name }) =>
        `version ${name} must have the same schema as the stored version ${stored.name}, because nothing converts between them and ` +
        'fields would be lost; stop serving it, or give both the same schema',
    );
}

/** The schema without its descriptions, with sorted keys. */
function shapeOf(schema: JsonSchema): string {
  return JSON.stringify(schema, (key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value).filter(([name]) => name !== 'description' || isFields(key));
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Below `properties` the keys are names of fields, of which one may be `description`. */
function isFields(key: string): boolean {
  return key === 'properties';
}
