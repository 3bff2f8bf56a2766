import type { Facts, Outcome } from '../../runtime/controller/facts.js';
import type { Owned } from '../../runtime/controller/owned-objects.js';
import { groupKindOf, groupOf, type LiveOf, type ObjectKind } from '../../runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../../runtime/kubernetes/object.js';
import type { GivenResource } from './controller-contract.js';

/** What there is beside the resource. */
export interface GivenFacts {
  /** Objects that it owns, with the status that they have. @default - none */
  readonly owned?: readonly Manifest[];
  /** What it owns and `desire` wants no more, as `assess` is to see it. @default - nothing */
  readonly pruning?: readonly Manifest[];
  /** What other controllers of its kind made. @default - nothing */
  readonly siblings?: readonly Manifest[];
  /** What it refers to, by the names of the declaration. @default - nothing; an empty list is to be stated */
  readonly reads?: Facts['reads'];
  /** What is known of what it asks, by the names of the declaration. @default - nothing */
  readonly polled?: Facts['polled'];
  /** @default - 1970 */
  readonly now?: Date;
  /** Whether its spec was accepted. @default true */
  readonly accepted?: boolean;
  /** Why an object was left as it is. @default - none was */
  readonly blocker?: string;
}

/**
 * What `desire` and `assess` of a controller are given, for tests that call them without a cluster.
 *
 * @param resource with the defaults of its schema filled in
 * @example website.desire(chart, factsOf(hello))
 */
export function factsOf(resource: GivenResource, given: GivenFacts = {}): Outcome {
  const { owned = [], pruning = [], siblings = [], reads = {}, polled = {} } = given;
  const { now = new Date(0), accepted = true, blocker } = given;
  return {
    resource: liveOf(resource),
    owned: among(owned.map(liveOf)),
    pruning: among(pruning.map(liveOf)),
    siblings: among(siblings.map(liveOf)),
    ...{ reads, polled, now, accepted, blocker },
    isServed: () => true,
  };
}

/** As if the API server had just stored it. */
function liveOf<M extends Manifest>(manifest: M): M & LiveObject {
  const stored = { uid: `uid-of-${manifest.metadata.name}`, resourceVersion: '1', generation: 1 };
  return { ...manifest, metadata: { ...stored, ...manifest.metadata } };
}

function among(objects: readonly LiveObject[]): Owned {
  const of = <O extends ObjectKind>(kind: O) =>
    objects
      .filter(
        ({ apiVersion, kind: name }) => groupKindOf({ group: groupOf(apiVersion), kind: name }) === groupKindOf(kind),
      )
      .map((object) => object as LiveOf<O>);
  return { of, one: (kind) => of(kind)[0], all: () => objects };
}
