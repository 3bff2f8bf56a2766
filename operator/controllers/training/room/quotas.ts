import { canonicalQuantity } from '../../../../src/manifest/quantity.js';
import type { Amounts } from '../ports/capacity.js';

/** A ResourceQuota of the namespace. Amounts are those that it states, and those that can be read. */
export interface Quota {
  readonly name: string;
  readonly hard: Amounts;
  readonly used: Amounts;
  /** All must match a Pod that the quota counts. */
  readonly scopes: readonly QuotaScope[];
}

/** What Pods have that a ResourceQuota counts. */
export interface QuotaScope {
  readonly name: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Equal Pods, as a ResourceQuota counts them. */
export interface QuotaPods {
  readonly count: number;
  readonly requests: Amounts;
  readonly limits: Amounts;
  /** @default - none */
  readonly priorityClass?: string | undefined;
}

/** What the first ResourceQuota lacks that does not allow all of these Pods, as a part of a sentence. Undefined if all do. */
export function shortageIn(quotas: readonly Quota[], pods: readonly QuotaPods[]): string | undefined {
  for (const quota of quotas) {
    const counted = pods.filter((one) => matches(one, quota));
    const lacking = Object.entries(quota.hard).flatMap(([name, hard]) => {
      const need = counted.reduce((sum, one) => sum + one.count * amountOf(name, one), 0);
      const left = Math.max(0, hard - (quota.used[name] ?? 0));
      const text = (amount: number) => textOf(name, amount);
      return need > left * (1 + 1e-9) ? [`${name} ${text(need)}, with ${text(left)} of ${text(hard)} left`] : [];
    });
    if (lacking.length > 0)
      return `ResourceQuota ${quota.name} does not allow what the job needs: ${lacking.join('; ')}`;
  }
  return undefined;
}

/** Workers have requests, and no deadline of their own. No other scope matches them. */
function matches({ priorityClass }: QuotaPods, { scopes }: Quota): boolean {
  return scopes.every(({ name, operator, values }) => {
    if (name !== 'PriorityClass') return name === 'NotTerminating' || name === 'NotBestEffort';
    if (operator === 'Exists') return priorityClass !== undefined;
    if (operator === 'DoesNotExist') return priorityClass === undefined;
    const isIn = priorityClass !== undefined && values.includes(priorityClass);
    return operator === 'In' ? isIn : !isIn;
  });
}

/** What a Pod takes of a resource of a quota, such as `pods`, `requests.nvidia.com/gpu` or `memory`. */
function amountOf(name: string, { requests, limits }: QuotaPods): number {
  if (name === 'pods' || name === 'count/pods') return 1;
  if (name.startsWith('limits.')) return limits[name.slice('limits.'.length)] ?? 0;
  return requests[name.replace(/^requests\./, '')] ?? 0;
}

const mebibyte = 2 ** 20;

/** Bytes have a binary suffix. */
function textOf(name: string, amount: number): string {
  const isBinary = /memory$|storage$|hugepages-/.test(name) && amount > 0 && amount % mebibyte === 0;
  return canonicalQuantity(isBinary ? `${amount / mebibyte}Mi` : Number(amount.toFixed(3)));
}
