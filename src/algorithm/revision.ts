import { createHash } from 'node:crypto';
import { algorithmSpec, withDefaults } from '../../crds/index.js';
import type { AlgorithmSpec, AlgorithmSpecInput } from '../../imports/index.js';
import { childName } from '../names.js';
import type { Manifest } from '../plain.js';
import { podLabels } from './blueprint.js';

/** What a change of makes no other pods. */
const around = ['replicas', 'scaling', 'lifecycle', 'sla', 'host', 'gateway'] as const;

/** The part of a spec that decides what its pods are: a change of it makes another version. */
export type Version = Omit<AlgorithmSpec, (typeof around)[number]>;

/** With its defaults, so that a field that a later schema adds does not make another version of what was kept before. */
export function versionOf(spec: AlgorithmSpecInput): Version {
  const whole: Readonly<Record<string, unknown>> = withDefaults(algorithmSpec, spec);
  const isPart = ([field]: [string, unknown]) => !(around as readonly string[]).includes(field);
  return Object.fromEntries(Object.entries(whole).filter(isPart)) as unknown as Version;
}

/** A spec that runs another version than its own: what makes the pods is that one's, the rest is the spec's. */
export function withVersion(spec: AlgorithmSpec, version: Version): AlgorithmSpec {
  const own = around.map((field) => [field, spec[field]] as const).filter(([, value]) => value !== undefined);
  return { ...version, ...Object.fromEntries(own) } as AlgorithmSpec;
}

/** The name of the ControllerRevision of a version: the same for the same version, whatever the order of its fields. */
export function revisionName(owner: string, version: Version): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(inOrder(version)))
    .digest('hex');
  return childName(owner, `v${hash.slice(0, 10)}`);
}

/** A version of an Algorithm, to be remembered. */
export interface RevisionProps {
  /** The Algorithm's name. */
  readonly owner: string;
  readonly namespace: string | undefined;
  readonly version: Version;
  /** Its place among the versions that were promoted, the last one highest; 0 for one that was not. */
  readonly number: number;
}

/** Keeps a version. */
export function controllerRevision({ owner, namespace, version, number }: RevisionProps): Manifest {
  const metadata = { name: revisionName(owner, version), namespace, labels: podLabels(owner) };
  const content = { data: { spec: version }, revision: number };
  return { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata, ...content } as Manifest;
}

/** The value with the keys of its maps in order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, inOrder(part)]));
}
