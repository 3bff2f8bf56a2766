import type { LiveConfigMap } from '../../../runtime/index.js';

/** For each timeline: the position of the write-ahead log, in bytes, at which the next timeline forks. */
export type Forks = Readonly<Record<number, number>>;

/**
 * The promotions in the annotation `history` of Patroni's ConfigMap `NAME-config`. The JSON is untrusted, because any
 * user who can edit ConfigMaps can change it. For example: `[[1,83886248,"no recovery target
 * specified","2026-11-22T02:50:12+00:00","orders-2"]]`.
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
