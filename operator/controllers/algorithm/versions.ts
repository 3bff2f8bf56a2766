import { revisionName, type Version, versionOf } from '../../../src/index.js';
import type { LiveControllerRevision } from '../../runtime/index.js';

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
 * Checks only the image. A revision of a later schema must not be ignored, because that would roll back to an older
 * version.
 */
function isVersion(spec: unknown): spec is Version {
  return typeof (spec as Partial<Version> | null | undefined)?.image === 'string';
}

/** A version in the form in which it is stored. */
export function keptOf(owner: string, version: Version, number: number): KeptVersion {
  return { name: revisionName(owner, version), version, number };
}
