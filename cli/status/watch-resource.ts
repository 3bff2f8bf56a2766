import { Store } from '../../operator/runtime/cache/store.js';
import { Watch } from '../../operator/runtime/cache/watch.js';
import { Event, type ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../../operator/runtime/kubernetes/object.js';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { silent } from '../../operator/runtime/ports/telemetry.js';

/** Receives the changes and events of a resource. */
export interface Spectator<R> {
  /** Called with each new state, including the current one. */
  readonly saw: (resource: R) => void;
  /** Called with each new event. */
  readonly heard: (event: ResourceEvent) => void;
}

/** The part of an event that users read. */
interface ResourceEvent {
  readonly reason: string;
  readonly note: string;
}

interface LiveEvent extends LiveObject, ResourceEvent {
  readonly regarding?: { readonly uid?: string };
}

interface Watching<R> extends Spectator<R> {
  readonly kind: ObjectKind;
  readonly signal: AbortSignal;
}

interface Named {
  readonly metadata: { readonly namespace?: string; readonly name: string; readonly uid?: string };
}

/**
 * Watches a resource until the signal aborts.
 * @throws {Error} if it is deleted
 */
export async function watchResource<R extends Named>(
  cluster: Cluster,
  { metadata }: R,
  { kind, saw, heard, signal }: Watching<R>,
): Promise<void> {
  const over = new AbortController();
  const all = AbortSignal.any([signal, over.signal]);
  const options = { cluster, clock: systemClock, telemetry: silent, namespace: metadata.namespace ?? '' };
  const resources = new Watch(new Store(kind), options);
  const events = new Watch(new Store(Event), options);
  const gone = new Promise<never>((_, reject) => {
    resources.store.listen(({ before, after }) => {
      if ((after ?? before)?.metadata.uid !== metadata.uid) return;
      if (after) saw(after as unknown as R);
      else reject(new Error(`${kind.kind} ${keyOf(metadata)} was deleted`));
    });
  });
  let isCurrent = false; // earlier events are not shown
  events.whenSynced.then(() => {
    isCurrent = true;
  });
  events.store.listen(({ before, after }) => {
    const event = after as LiveEvent | undefined;
    if (isCurrent && event && !before && event.regarding?.uid === metadata.uid) heard(event);
  });
  try {
    await Promise.race([gone, Promise.all([resources.run(all), events.run(all)])]);
  } finally {
    over.abort();
  }
}
