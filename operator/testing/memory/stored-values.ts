import { isZero } from '../../runtime/fields/contains.js';
import { below, type Strategy } from '../../runtime/fields/merge-keys.js';
import { isRecord } from '../../runtime/kubernetes/json.js';

/** A value as an API server stores it: without the zero values that it omits, and with null for others. */
export function stored(value: unknown, strategy: Strategy | undefined): unknown {
  if (Array.isArray(value)) return strategy?.each ? value.map((item) => stored(item, strategy.each)) : value;
  if (!isRecord(value) || !strategy?.typed) return value;
  const fields = Object.entries(value).flatMap(([name, part]) => {
    const own = below(strategy, name);
    if (own?.zero === undefined || !isZero(part)) return [[name, stored(part, own)]];
    return own.zero === 'null' ? [[name, null]] : [];
  });
  return Object.fromEntries(fields);
}
