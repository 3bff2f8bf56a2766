import { type AlgorithmResource, algorithmKind } from '../../imports/index.js';
import { Store } from '../../operator/runtime/cache/store.js';
import { Watch } from '../../operator/runtime/cache/watch.js';
import { Event } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../../operator/runtime/kubernetes/object.js';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { silent } from '../../operator/runtime/ports/telemetry.js';

/** Receives the changes and events of an Algorithm. */
export interface Spectator {
  /** Called with each new state, including the current one. */
  readonly saw: (resource: AlgorithmResource) => void;
  /** Called with each new event. */
  readonly heard: (event: AlgorithmEvent) => void;
}

/** The part of an event that users read. */
interface AlgorithmEvent {
  readonly reason: string;
  readonly note: string;
}

interface LiveEvent extends LiveObject, AlgorithmEvent {
  readonly regarding?: { readonly uid?: string };
}

interface Watching extends Spectator {
  readonly signal: AbortSignal;
}

/**
 * Watches an Algorithm until the signal aborts.
 * @throws {Error} if it is deleted
 */
export async function watchAlgorithm(
  cluster: Cluster,
  { metadata }: AlgorithmResource,
  { saw, heard, signal }: Watching,
): Promise<void> {
  const over = new AbortController();
  const all = AbortSignal.any([signal, over.signal]);
  const options = { cluster, clock: systemClock, telemetry: silent, namespace: metadata.namespace ?? '' };
  const resources = new Watch(new Store(algorithmKind), options);
  const events = new Watch(new Store(Event), options);
  const gone = new Promise<never>((_, reject) => {
    resources.store.listen(({ before, after }) => {
      if ((after ?? before)?.metadata.uid !== metadata.uid) return;
      if (after) saw(after as unknown as AlgorithmResource);
      else reject(new Error(`Algorithm ${keyOf(metadata)} was deleted`));
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
