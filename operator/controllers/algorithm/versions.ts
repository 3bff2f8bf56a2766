import { revisionName, type Version, versionOf } from '../../../src/index.js';
import type { LiveControllerRevision } from '../../runtime/index.js';

/** A version that is remembered. */
export interface KeptVersion {
  /** The name of its ControllerRevision. */
  readonly name: string;
  readonly version: Version;
  /** Its place among the versions that were promoted, the last one highest; 0 for one that was not. */
  readonly number: number;
}

/** What the ControllerRevisions of an Algorithm remember. */
export interface Versions {
  /** The version that was promoted last. Undefined: nothing was promoted yet. */
  readonly stable: KeptVersion | undefined;
  /** The version that was promoted before it. */
  readonly before: KeptVersion | undefined;
  readonly all: readonly KeptVersion[];
}

/** Annotation of a Deployment, with the ControllerRevision of which its pods are to be. */
export const revisionAnnotation = 'ai.alien6.io/revision';

/**
 * What is not as its name says was changed by somebody, and remembers nothing.
 * @param owner the Algorithm's name
 */
export function versionsIn(revisions: readonly LiveControllerRevision[], owner: string): Versions {
  const all = revisions
    .flatMap(({ metadata, data, revision }) => {
      const spec: unknown = data?.spec;
      if (!isVersion(spec) || metadata.name !== revisionName(owner, spec)) return [];
      return [keptOf(owner, versionOf(spec), revision)];
    })
    .toSorted((a, b) => b.number - a.number);
  const [stable, before] = all.filter(({ number }) => number > 0);
  return { stable, before, all };
}

/**
 * No more than this: what an operator of a later schema has kept must not be taken for nothing, which would bring an older
 * version back.
 */
function isVersion(spec: unknown): spec is Version {
  return typeof (spec as Partial<Version> | null | undefined)?.image === 'string';
}

/** A version, as it is to be remembered. */
export function keptOf(owner: string, version: Version, number: number): KeptVersion {
  return { name: revisionName(owner, version), version, number };
}
