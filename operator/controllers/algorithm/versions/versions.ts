import type { AlgorithmResource } from '../../../../imports/index.js';
import { revisionName, type Version, versionOf } from '../../../../src/index.js';
import type { LiveControllerRevision } from '../../../runtime/index.js';

/** A version that is stored in a ControllerRevision. */
export interface KeptVersion {
  /** The name of its ControllerRevision. */
  readonly name: string;
  readonly version: Version;
  /** Position among the promoted versions, highest for the last one; 0 for a version that was not promoted. */
  readonly number: number;
}

/** The versions in the ControllerRevisions of an Algorithm. */
export interface Versions {
  /** The version that was promoted last; undefined before the first promotion. */
  readonly stable: KeptVersion | undefined;
  /** The version that was promoted before it. */
  readonly before: KeptVersion | undefined;
  readonly all: readonly KeptVersion[];
}

/** Annotation of a Deployment with the desired ControllerRevision of its Pods. */
export const revisionAnnotation = 'ai.alien6.io/revision';

/**
 * A ControllerRevision whose content does not match its name was changed by another client, and is ignored.
 * @param owner the Algorithm's name
 */
export function versionsIn(revisions: readonly LiveControllerRevision[], owner: string): Versions {
  const all = revisions
    .map((revision) => once(revision, owner, () => versionIn(revision, owner)))
    .filter((kept) => kept !== undefined)
    .toSorted((a, b) => b.number - a.number);
  const [stable, before] = all.filter(({ number }) => number > 0);
  return { stable, before, all };
}

function versionIn({ metadata, data, revision }: LiveControllerRevision, owner: string): KeptVersion | undefined {
  const spec: unknown = data?.spec;
  if (!isVersion(spec) || metadata.name !== revisionName(owner, spec)) return undefined;
  return keptOf(owner, versionOf(spec), revision);
}

/** The version in the spec of an Algorithm. */
export function wantedOf({ metadata: { name }, spec }: Pick<AlgorithmResource, 'metadata' | 'spec'>): KeptVersion {
  return once(spec, name, () => keptOf(name, versionOf(spec), 0));
}

interface Computed {
  readonly owner: string;
  readonly kept: KeptVersion | undefined;
}

/** Versions by what they were computed from. Each reconcile needs them several times, and a name costs a hash. */
const computed = new WeakMap<object, Computed>();

/** Computes a version once for each frozen object. What the caches hold is frozen, and stays the same until an edit. */
function once<T extends KeptVersion | undefined>(of: object, owner: string, compute: () => T): T {
  const known = computed.get(of);
  if (known?.owner === owner) return known.kept as T;
  const kept = compute();
  if (Object.isFrozen(of)) computed.set(of, { owner, kept });
  return kept;
}

/**
 * Checks only the image. A revision of a later schema must not be ignored, because that would roll back to an older
 * version.
 */
function isVersion(spec: unknown): spec is Version {
  return typeof (spec as Partial<Version> | null | undefined)?.image === 'string';
}

/** A version in the form in which it is stored. */
export function keptOf(owner: string, version: Version, number: number): KeptVersion {
  return Object.freeze({ name: revisionName(owner, version), version: Object.freeze(version), number });
}

/** The short name of an image: its tag, or the start of its digest. */
export function shortName(image: string): string {
  const [place = '', digest] = image.split('@');
  const last = place.split('/').at(-1) ?? '';
  const tag = last.includes(':') ? last.split(':').at(-1) : undefined;
  return (tag ?? digest?.split(':').at(-1)?.slice(0, 12) ?? 'latest').slice(0, 128);
}
