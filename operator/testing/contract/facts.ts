import type { Facts, Outcome } from '../../runtime/controller/facts.js';
import type { Owned } from '../../runtime/controller/owned-objects.js';
import { groupKindOf, groupOf, type LiveOf, type ObjectKind } from '../../runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../../runtime/kubernetes/object.js';
import { type CallState, callStates } from '../../runtime/ports/external-call.js';
import type { GivenResource } from './trial/given-resource.js';

/** The facts beside the resource. */
export interface GivenFacts {
  /** Objects that the resource owns, with their status. @default - none */
  readonly owned?: readonly Manifest[];
  /** Owned objects that `desire` no longer renders, for `assess`. @default - none */
  readonly pruning?: readonly Manifest[];
  /** Objects of other controllers of the same kind. @default - none */
  readonly siblings?: readonly Manifest[];
  /** Objects that it refers to, by the names in `reads`. @default - none; an empty list must be given */
  readonly reads?: Facts['reads'];
  /** Polled answers, by the names in `polls`. @default - none */
  readonly polled?: Facts['polled'];
  /** The states of its calls, by their names. @default - none is rendered */
  readonly calls?: Readonly<Record<string, CallState>>;
  /** @default - 1970 */
  readonly now?: Date;
  /** Whether the spec was accepted. @default true */
  readonly accepted?: boolean;
  /** Why an object could not be applied. @default - all were applied */
  readonly blocker?: string;
}

/**
 * The arguments of `desire` and `assess` of a controller, for tests that call them without a cluster.
 *
 * @param resource with the defaults of its schema filled in
 * @example website.desire(chart, factsOf(hello))
 */
export function factsOf(resource: GivenResource, given: GivenFacts = {}): Outcome {
  const { owned = [], pruning = [], siblings = [], reads = {}, polled = {} } = given;
  const { calls = {}, now = new Date(0), accepted = true, blocker } = given;
  return {
    resource: liveOf(resource),
    owned: among(owned.map(liveOf)),
    pruning: among(pruning.map(liveOf)),
    siblings: among(siblings.map(liveOf)),
    ...{ reads, polled, now, accepted, blocker },
    isServed: () => true,
    calls: callStates(new Map(Object.entries(calls))),
  };
}

/** The object as if the API server had just stored it. */
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
