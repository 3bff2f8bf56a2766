import { expect, test } from 'vitest';
import { kinds } from '../../../crds/index.js';

/** The CEL rules at every depth of a schema, with their paths. */
function rulesIn(schema: unknown, path = ''): readonly (readonly [path: string, rule: string])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'rule' in schema && typeof schema.rule === 'string' ? [[path, schema.rule] as const] : [];
  return [...own, ...Object.entries(schema).flatMap(([key, value]) => rulesIn(value, `${path}.${key}`))];
}

test('no rule compares a size with that of the old spec, which may have been refused', () => {
  const rules = kinds.flatMap((kind) => rulesIn(kind, kind.kind));
  expect(rules.length).toBeGreaterThan(20);
  expect(rules.filter(([, rule]) => /quantity\(.*oldSelf/.test(rule))).toEqual([]);
});
