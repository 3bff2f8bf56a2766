import type { LiveConfigMap } from '../../../runtime/index.js';

/** By timeline: the position of the write-ahead log, in bytes, at which the next one left it. */
export type Forks = Readonly<Record<number, number>>;

/**
 * What Patroni keeps of promotions in the annotation `history` of its ConfigMap `NAME-config`: JSON, which anybody who may
 * edit ConfigMaps may have changed, as `[[1,83886248,"no recovery target specified","2026-11-22T02:50:12+00:00","orders-2"]]`.
 */
export function forksIn(config: LiveConfigMap | undefined): Forks {
  try {
    const history: unknown = JSON.parse(config?.metadata.annotations?.['history'] ?? '[]');
    return Object.fromEntries(Array.isArray(history) ? history.flatMap(forkIn) : []);
  } catch {
    return {};
  }
}

function forkIn(promotion: unknown): readonly (readonly [number, number])[] {
  const [timeline, position] = Array.isArray(promotion) ? promotion : [];
  return Number.isSafeInteger(timeline) && Number.isSafeInteger(position) ? [[timeline, position]] : [];
}
