import type { Call } from './call.js';
import type { Fault, FaultRule } from './fault.js';

interface Standing {
  readonly rule: FaultRule;
  /** Number of requests that matched. */
  matched: number;
  /** Number of requests that got the fault. */
  met: number;
}

/** Decides which request gets which fault. The same requests in the same order get the same faults. */
export class FaultPlan {
  readonly #standing = new Set<Standing>();

  /** @param random uniform in [0, 1) */
  constructor(readonly random: () => number) {}

  /** Adds a rule. The first matching rule decides. @returns a function that removes the rule */
  add(rule: FaultRule): () => void {
    const standing = { rule, matched: 0, met: 0 };
    this.#standing.add(standing);
    return () => this.#standing.delete(standing);
  }

  clear(): void {
    this.#standing.clear();
  }

  /** The fault for a call; undefined if it passes. */
  faultFor(call: Call): Fault | undefined {
    for (const standing of this.#standing) {
      const { rule } = standing;
      if (!isAbout(rule, call)) continue;
      if (standing.matched++ < (rule.skip ?? 0)) continue;
      if (standing.met >= (rule.times ?? Number.POSITIVE_INFINITY)) continue;
      if (rule.probability !== undefined && this.random() >= rule.probability) continue;
      standing.met++;
      return rule.fault;
    }
    return undefined;
  }
}

function isAbout({ verb, resource, namespace, name }: FaultRule, call: Call): boolean {
  const verbs = verb === undefined || [verb].flat().some((one) => one === call.verb);
  const same = (wanted: string | undefined, found: string) => wanted === undefined || wanted === found;
  return verbs && same(resource, call.resource) && same(namespace, call.namespace) && same(name, call.name);
}
