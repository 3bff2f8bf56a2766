import type { Systems } from '../ports/system.js';

/** Proxies that count requests, and versions that never fail. */
export function outside(): Systems {
  return {
    'reconstruct/starting-pods': { answer: () => ({ why: '' }) },
    'reconstruct/numbers': {
      answer: ({ sides }, { now }) => ({
        sides: Object.fromEntries(Object.keys(sides).map((side) => [side, readingAt(now)])),
        ...{ proxies: ['proxy'], silent: [] },
      }),
    },
  };
}

/** A proxy that has got 40 requests a second since 2030. Each was answered within 10 ms. */
function readingAt(now: number) {
  const total = Math.floor((40 * (now - Date.parse('2030-01-01T00:00:00Z'))) / 1_000);
  return {
    at: now,
    sources: { proxy: { codes: { 200: total }, latency: { bounds: [0.01, 0.05], counts: [total, 0, 0] } } },
  };
}
