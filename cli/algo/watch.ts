import { type AlgorithmResource, algorithmKind } from '../../imports/index.js';
import { Store } from '../../operator/runtime/cache/store.js';
import { Watch } from '../../operator/runtime/cache/watch.js';
import { Event } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../../operator/runtime/kubernetes/object.js';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { silent } from '../../operator/runtime/ports/telemetry.js';

/** Who hears of what happens to an Algorithm. */
export interface Spectator {
  /** Called with each new state, the present one too. */
  readonly saw: (resource: AlgorithmResource) => void;
  /** Called with each event that is told from now on. */
  readonly heard: (event: AlgorithmEvent) => void;
}

/** An event, as far as people read it. */
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
 * Looks at an Algorithm until the signal aborts.
 * @throws {Error} when it is deleted
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
  let isCurrent = false; // what was told before anybody looked is history
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
