import { versionSchema } from './crd.js';
import { failing, fieldAt, fieldProblems } from './field-checks.js';
import type { Column, Kind, Scale, VersionDefinition } from './kind.js';

/** What is wrong with a kind and what to do: one line for each problem, with its place. */
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

/** Every rule of a kind that concerns no single field, in the order in which problems are told. */
const KIND_CHECKS: readonly ((kind: Kind) => readonly string[])[] = [
  ({ group }) => failing(!GROUP.test(group), `group ${group} is not a domain with a dot; write it as ai.example.com`),
  ({ group }) =>
    failing(
      PROTECTED_GROUP.test(group),
      `group ${group} belongs to Kubernetes and needs its approval; choose your own domain`,
    ),
  ({ name }) => failing(name.length > 253, `is longer than 253 characters; shorten the plural or the group`),
  ({ kind }) => failing(!/^[A-Z]/.test(kind), `kind ${kind} does not begin with a capital; write it in CamelCase`),
  ({ kind, singular, plural, shortNames = [], categories = [] }) =>
    [kind.toLowerCase(), singular, plural, ...shortNames, ...categories].flatMap((word) =>
      failing(
        !LABEL.test(word),
        `name ${JSON.stringify(word)} is not a DNS label; use up to 63 lower-case letters, digits and -, a letter first`,
      ),
    ),
  ({ singular, plural, shortNames = [] }) =>
    repeated([plural, ...shortNames, ...(singular === plural ? [] : [singular])]).map(
      (word) => `name ${word} is used twice; choose another short name`,
    ),
  ({ versions }) =>
    repeated(versions.map(({ name }) => name)).map((name) => `version ${name} is there twice; drop one`),
  ({ versions }) => {
    const stored = versions.filter(({ storage }) => storage).map(({ name }) => name);
    return failing(
      stored.length !== 1,
      `${stored.length} versions are stored (${stored.join(', ')}); mark exactly one`,
    );
  },
  ({ versions }) => failing(!versions.some(({ served }) => served), 'no version is served; serve at least one'),
];

function versionProblems(version: VersionDefinition): readonly string[] {
  const { properties = {}, ...root } = versionSchema(version);
  const place = { path: 'root', uncorrelated: false, count: 1 };
  const columns = version.columns ?? [];
  return [
    ...failing(!LABEL.test(version.name), 'name: is not a DNS label; write it as v1 or v1beta2'),
    ...deprecationProblems(version.deprecated),
    ...fieldProblems({ ...root, properties: described(properties) }, place).map((problem) =>
      problem.replace(/^root\./, ''),
    ),
    ...repeated(columns.map(({ name }) => name)).map((name) => `column ${name}: is there twice; rename one`),
    ...columns.flatMap((column) =>
      columnProblems(version, column).map((problem) => `column ${column.name}: ${problem}`),
    ),
    ...(version.scale ? scaleProblems(version, version.scale) : []).map((problem) => `scale: ${problem}`),
  ];
}

/** The fields that every resource has explain themselves. */
function described(properties: NonNullable<ReturnType<typeof versionSchema>['properties']>) {
  const { metadata, ...others } = properties;
  return metadata ? { ...others, metadata: { description: 'Names the resource.', ...metadata } } : others;
}

function deprecationProblems(warning: string | undefined): readonly string[] {
  if (warning === undefined) return [];
  return failing(
    warning.length === 0 || warning.length > 256 || /[^\P{C}]/u.test(warning),
    'deprecated: the warning is not 1 to 256 printable characters; write one short sentence',
  );
}

const METADATA_COLUMN = /^\.metadata\.(name|namespace|generation|creationTimestamp|labels|annotations)\b/;

function columnProblems(version: VersionDefinition, { name, jsonPath, type, priority = 0 }: Column): readonly string[] {
  const field = fieldAt(versionSchema(version), jsonPath);
  const types = COLUMN_TYPES[field?.type ?? 'any'] ?? COLUMN_TYPES.any;
  return [
    ...failing(!name.trim(), 'has no name; give one'),
    ...failing(
      !Number.isInteger(priority) || priority < 0,
      `priority ${priority} is not a whole number from 0; write 0 or 1`,
    ),
    ...failing(!field && !METADATA_COLUMN.test(jsonPath), `${jsonPath} is not a field; write it as .spec.field`),
    ...failing(field && !types.includes(type), `${jsonPath} is no ${type}; use ${types.join(' or ')}`),
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
      `${name} ${path} does not lead to a field of type ${type} below ${parents.join(' or ')}; correct the path`,
    ),
  );
}

function repeated(words: readonly string[]): readonly string[] {
  return [...new Set(words.filter((word, index) => words.indexOf(word) !== index))];
}
