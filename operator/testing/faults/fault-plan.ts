import type { Call } from './call.js';
import type { Fault, FaultRule } from './fault.js';

interface Standing {
  readonly rule: FaultRule;
  /** Requests that matched. */
  matched: number;
  /** Requests that were met. */
  met: number;
}

/** Decides which request meets which fault. The same requests in the same order meet the same faults. */
export class FaultPlan {
  readonly #standing = new Set<Standing>();

  /** @param random uniform in [0, 1) */
  constructor(readonly random: () => number) {}

  /** Adds a rule; what it returns takes the rule away. Of rules that match, the one that was added first decides. */
  add(rule: FaultRule): () => void {
    const standing = { rule, matched: 0, met: 0 };
    this.#standing.add(standing);
    return () => this.#standing.delete(standing);
  }

  clear(): void {
    this.#standing.clear();
  }

  /** What a call meets; undefined when it goes through. */
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
