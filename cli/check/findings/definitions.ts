import type { CustomResourceDefinition } from '../../../crds/index.js';
import { conditionOf } from '../../../operator/runtime/controller/conditions.js';
import type { LiveCondition } from '../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../operator/runtime/kubernetes/object.js';
import { differenceOf } from './definition-difference.js';
import { counted, type Finding, findingsOf, someOf } from './finding.js';
import type { Reading } from './reading.js';

/** A CRD of the cluster. */
export interface LiveDefinition extends LiveObject {
  readonly metadata: LiveObject['metadata'] & { readonly managedFields?: readonly ManagedFields[] };
  readonly spec: CustomResourceDefinition['spec'];
  readonly status?: { readonly conditions?: readonly LiveCondition[]; readonly storedVersions?: readonly string[] };
}

interface ManagedFields {
  readonly manager?: string;
  readonly time?: string;
  readonly subresource?: string;
  readonly fieldsV1?: object;
}

/** What is expected of the CRDs. */
export interface ExpectedDefinitions {
  /** The CRDs of the installed controllers. */
  readonly definitions: readonly CustomResourceDefinition[];
  /** The version of this package. */
  readonly version: string;
}

const { ok, problem, unknown } = findingsOf('definitions');

/** Whether each CRD exists, is established, and is of this version. */
export function definitionFindings(
  { definitions, version }: ExpectedDefinitions,
  live: Reading<readonly LiveDefinition[]>,
): readonly Finding[] {
  if ('missing' in live) return [unknown('The CRDs', live.missing)];
  const found = definitions.map((expected) => {
    const present = live.value.find(({ metadata }) => metadata.name === expected.metadata.name);
    return present ? problemsOf(expected, present, version) : [missing(expected, version)];
  });
  const good = found.filter((problems) => problems.length === 0).length;
  const all = found.flat();
  const which = all.length === 0 ? counted(good, 'CRD') : `${good} of ${counted(definitions.length, 'CRD')}`;
  return [...all, ...(good > 0 ? [ok(`${which} established, with the schemas of version ${version}`)] : [])];
}

const applied = (version: string) =>
  `Apply the CRDs of version ${version}: your kustomization, your release of the chart, or dist/0000-crds.k8s.yaml`;

function missing({ metadata }: CustomResourceDefinition, version: string): Finding {
  return problem(`CRD ${metadata.name} does not exist`, applied(version));
}

function problemsOf(expected: CustomResourceDefinition, live: LiveDefinition, version: string): readonly Finding[] {
  return [...notEstablished(live), ...otherSchema(expected, live, version), ...lostVersions(expected, live)];
}

function notEstablished({ metadata, status }: LiveDefinition): readonly Finding[] {
  if (conditionOf({ status }, 'Established')?.status === 'True') return [];
  const bad = status?.conditions?.find((one) => one.status === 'False' && one.message);
  const why = bad ? `: ${bad.reason}: ${bad.message}` : '';
  const action = `Run kubectl describe crd ${metadata.name}, and remove the CRD whose names conflict`;
  return [problem(`CRD ${metadata.name} is not established${why}`, action)];
}

/** What to do depends on which side is older. */
function otherSchema(expected: CustomResourceDefinition, live: LiveDefinition, version: string): readonly Finding[] {
  const { name } = live.metadata;
  const difference = differenceOf(expected, live);
  const editor = lastEditor(live);
  switch (difference.is) {
    case 'equal':
      return [];
    case 'older':
      return [
        problem(
          `CRD ${name} is older than version ${version}: it lacks ${someOf(difference.missing)}`,
          applied(version),
        ),
      ];
    case 'newer':
      return [
        problem(
          `CRD ${name} is newer than version ${version}: it also has ${someOf(difference.extra)}`,
          'Run this command in the version of the operator, and do not apply older CRDs',
        ),
      ];
    case 'other': {
      const by = editor === undefined ? 'It was changed, or is of another version' : `It was last changed by ${editor}`;
      const fields = someOf([...difference.missing, ...difference.extra, ...difference.changed]);
      return [
        problem(
          `CRD ${name} differs from version ${version} in ${fields}. ${by}`,
          `${applied(version)} --force-conflicts`,
        ),
      ];
    }
  }
}

/** The field manager of a person who changed the spec last. Undefined if another tool did. */
function lastEditor({ metadata }: LiveDefinition): string | undefined {
  const ofSpec = (metadata.managedFields ?? []).filter(
    ({ fieldsV1 = {}, subresource }) => subresource === undefined && 'f:spec' in fieldsV1,
  );
  const [last] = ofSpec.toSorted((a, b) => ((a.time ?? '') < (b.time ?? '') ? 1 : -1));
  return /^kubectl-(edit|patch|replace|create|client-side-apply)$/.test(last?.manager ?? '')
    ? last?.manager
    : undefined;
}

/** Kubernetes refuses a CRD without a version in which objects may be stored. */
function lostVersions(expected: CustomResourceDefinition, { metadata, status }: LiveDefinition): readonly Finding[] {
  const known = expected.spec.versions.map(({ name }) => name);
  const lost = (status?.storedVersions ?? []).filter((name) => !known.includes(name));
  if (lost.length === 0) return [];
  return [
    problem(
      `CRD ${metadata.name} stores objects in ${lost.join(', ')}, which this version does not define`,
      `Write each object again, and then remove ${lost.join(', ')} from status.storedVersions of the CRD`,
    ),
  ];
}
