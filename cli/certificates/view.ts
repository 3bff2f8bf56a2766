import type { ClusterIssuerResource, IssuerResource } from '../../imports/index.js';
import { relativeTime } from '../../operator/runtime/kubernetes/relative-time.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { alignedRows } from '../output/aligned-rows.js';
import { type Problem, problemsOf, type ReportingResource } from '../status/problems.js';
import type { FoundResources } from './resources.js';

/** One screen for the person on call. */
export interface StatusView {
  readonly lines: readonly string[];
  /** Whether a person should act. */
  readonly isWrong: boolean;
}

const none = '-';

/**
 * Tables of the resources, and below them what is wrong and what is in progress.
 * @param now milliseconds since 1970
 */
export function statusView(found: FoundResources, now: number): StatusView {
  const all = problemRows(found, now);
  const [wrong, progress] = [all.filter(({ isProgress }) => !isProgress), all.filter(({ isProgress }) => isProgress)];
  const tables = [
    issuerRows(found, now),
    certificateRows(found, now),
    bundleRows(found, now),
    rotationRows(found, now),
  ];
  const sections = [
    ...tables.filter((rows) => rows.length > 1).map((rows) => alignedRows(rows.map((row) => row.map(printable)))),
    wrong.length === 0 ? ['No problems.'] : ['Problems:', ...wrong.flatMap(problemLines)],
    ...(progress.length === 0 ? [] : [['In progress:', ...progress.flatMap(problemLines)]]),
    ...(found.notes.length === 0 ? [] : [found.notes.map(printable)]),
  ];
  return {
    lines: sections.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])),
    isWrong: wrong.length > 0,
  };
}

type Rows = readonly (readonly string[])[];

function issuerRows({ issuers, clusterIssuers }: FoundResources, now: number): Rows {
  const row = (resource: IssuerResource | ClusterIssuerResource, namespace: string) => {
    const { metadata, spec, status } = resource;
    const type = spec.acme ? 'ACME' : spec.ca?.secretName === undefined ? 'generated CA' : 'own CA';
    const times = [relativeTime(status?.notAfter, now), relativeTime(status?.renewalTime, now)];
    return [namespace, metadata.name, type, readyOf(resource), ...times];
  };
  return [
    ['NAMESPACE', 'ISSUER', 'TYPE', 'READY', 'EXPIRES', 'RENEWS'],
    ...clusterIssuers.map((one) => row(one, '(cluster)')),
    ...issuers.map((one) => row(one, one.metadata.namespace ?? '')),
  ];
}

function certificateRows({ certificates }: FoundResources, now: number): Rows {
  return [
    ['NAMESPACE', 'CERTIFICATE', 'READY', 'EXPIRES', 'RENEWS', 'CONSUMERS', 'ISSUER'],
    ...certificates.map((one) => {
      const { metadata, spec, status } = one;
      const times = [relativeTime(status?.notAfter, now), relativeTime(status?.renewalTime, now)];
      const consumers = status?.consumers ?? none;
      return [metadata.namespace ?? '', metadata.name, readyOf(one), ...times, consumers, spec.issuer.name];
    }),
  ];
}

function bundleRows({ trustBundles }: FoundResources, now: number): Rows {
  return [
    ['TRUSTBUNDLE', 'READY', 'CERTIFICATES', 'NAMESPACES', 'EXPIRES'],
    ...trustBundles.map((one) => {
      const { certificates = none, namespaces = none, notAfter } = one.status ?? {};
      return [one.metadata.name, readyOf(one), `${certificates}`, `${namespaces}`, relativeTime(notAfter, now)];
    }),
  ];
}

function rotationRows({ rotations }: FoundResources, now: number): Rows {
  return [
    ['NAMESPACE', 'ROTATION', 'READY', 'ROTATED', 'NEXT', 'CONSUMERS', 'LOGIN'],
    ...rotations.map((one) => {
      const { metadata, status } = one;
      const times = [relativeTime(status?.rotated, now), relativeTime(status?.nextRotation, now)];
      const { consumers = none, login = none } = status ?? {};
      return [metadata.namespace ?? '', metadata.name, readyOf(one), ...times, consumers, login];
    }),
  ];
}

function readyOf({ status }: ReportingResource): string {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? none;
}

interface NamedProblem extends Problem {
  readonly of: string;
}

function problemRows(found: FoundResources, now: number): readonly NamedProblem[] {
  const kinds = [
    ['ClusterIssuer', found.clusterIssuers],
    ['Issuer', found.issuers],
    ['Certificate', found.certificates],
    ['TrustBundle', found.trustBundles],
    ['SecretRotation', found.rotations],
  ] as const;
  return kinds.flatMap(([kind, resources]) =>
    resources.flatMap((resource) => {
      const { namespace, name } = resource.metadata;
      const of = `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
      return problemsOf(resource, now, { conditions: {}, rejections: {} }).map((problem) => ({ ...problem, of }));
    }),
  );
}

function problemLines({ of, type, reason, message }: NamedProblem): readonly string[] {
  return [`  ${of}: ${type} ${reason}`, `    ${message}`].map(printable);
}
