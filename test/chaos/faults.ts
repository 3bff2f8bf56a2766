import type { FaultProxy, FaultRule } from '../../operator/testing/index.js';

/** The permanent faults, each for one request in the given number. */
const everyday: readonly FaultRule[] = [
  { verb: 'watch', probability: 0.1, fault: { kind: 'error-event', code: 410, afterEvents: 5 } },
  { verb: 'watch', probability: 0.1, fault: { kind: 'error-event', code: 500, afterEvents: 3 } },
  { verb: 'watch', probability: 0.2, fault: { kind: 'cut', afterEvents: 20 } },
  { verb: 'watch', probability: 0.05, fault: { kind: 'refuse', code: 410 } },
  { verb: 'list', probability: 0.05, fault: { kind: 'refuse', code: 410 } },
  { verb: 'list', probability: 0.05, fault: { kind: 'trickle', bytesPerSecond: 200_000 } },
  { verb: ['patch', 'delete'], probability: 0.01, fault: { kind: 'refuse', code: 409 } },
  { probability: 0.01, fault: { kind: 'refuse', code: 429, retryAfter: 1 } },
  { probability: 0.01, fault: { kind: 'refuse', code: 500 } },
  { probability: 0.005, fault: { kind: 'refuse', code: 503, retryAfter: 1 } },
  { probability: 0.005, fault: { kind: 'refuse', code: 504 } },
  { probability: 0.01, fault: { kind: 'lose', what: 'request' } },
  { probability: 0.01, fault: { kind: 'lose', what: 'answer' } },
  { probability: 0.02, fault: { kind: 'delay', before: 700 } },
  { probability: 0.02, fault: { kind: 'delay', after: 700 } },
];

export function injectEveryday(proxy: FaultProxy): void {
  for (const rule of everyday) proxy.inject(rule);
}

/** What the proxies have injected, by kind. */
export function faultCounts(proxies: readonly FaultProxy[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { fault } of proxies.flatMap(({ diary }) => diary)) {
    const detail = 'code' in fault ? fault.code : 'what' in fault ? fault.what : '';
    const name = `${fault.kind} ${detail}`.trim();
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
