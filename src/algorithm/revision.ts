import { createHash } from 'node:crypto';
import { algorithmSpec, withDefaults } from '../../crds/index.js';
import type { AlgorithmSpec, AlgorithmSpecInput } from '../../imports/index.js';
import { childName } from '../manifest/names.js';
import type { Manifest } from '../manifest/plain.js';
import { podLabels } from './blueprint.js';

/** The fields that do not affect the Pods. */
const around = ['replicas', 'scaling', 'lifecycle', 'sla', 'host', 'gateway'] as const;

/** The part of a spec that determines its Pods. A change of this part is a new version. */
export type Version = Omit<AlgorithmSpec, (typeof around)[number]>;

/** The version of a spec, with defaults, so that a new field of a later schema does not change stored versions. */
export function versionOf(spec: AlgorithmSpecInput): Version {
  const whole: Readonly<Record<string, unknown>> = withDefaults(algorithmSpec, spec);
  const isPart = ([field]: [string, unknown]) => !(around as readonly string[]).includes(field);
  return Object.fromEntries(Object.entries(whole).filter(isPart)) as unknown as Version;
}

/** The spec with another version: the fields of the Pods come from that version, and all others from the spec. */
export function withVersion(spec: AlgorithmSpec, version: Version): AlgorithmSpec {
  const own = around.map((field) => [field, spec[field]] as const).filter(([, value]) => value !== undefined);
  return { ...version, ...Object.fromEntries(own) } as AlgorithmSpec;
}

/** The name of the ControllerRevision of a version. It does not depend on the order of the fields. */
export function revisionName(owner: string, version: Version): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(inOrder(version)))
    .digest('hex');
  return childName(owner, `v${hash.slice(0, 10)}`);
}

/** Arguments of {@link controllerRevision}. */
export interface RevisionProps {
  /** The name of the Algorithm. */
  readonly owner: string;
  readonly namespace: string | undefined;
  readonly version: Version;
  /**
   * The number of the version among the promoted ones. The last one has the highest number, and 0 means not promoted.
   */
  readonly number: number;
}

/** A ControllerRevision that stores a version. */
export function controllerRevision({ owner, namespace, version, number }: RevisionProps): Manifest {
  const metadata = { name: revisionName(owner, version), namespace, labels: podLabels(owner) };
  const content = { data: { spec: version }, revision: number };
  return { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata, ...content } as Manifest;
}

/** The value with sorted keys in its maps. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, inOrder(part)]));
}
