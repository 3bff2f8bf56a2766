import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../../../../operator/runtime/kubernetes/deep-freeze.js';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Every value in plain JSON, with where it is. */
function* within(value: unknown, at: readonly string[] = []): Generator<readonly [path: string, value: unknown]> {
  yield [JSON.stringify(at), value];
  if (isObject(value)) for (const [field, one] of Object.entries(value)) yield* within(one, [...at, field]);
}

const json = fc.jsonValue({ maxDepth: 4 });
const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
/** Two states of one object: what has changed is anywhere. */
const states = fc.oneof(
  fc.tuple(json, json),
  json.map((one) => [one, copy(one)] as const),
  fc.tuple(json, json, json).map(
    ([a, b, c]) =>
      [
        { a, b },
        { a: copy(a), b: c },
      ] as const,
  ),
  fc.tuple(json, json, json).map(([a, b, c]) => [{ a: [a, { b }] }, { a: [copy(a), { b: copy(b), c }] }] as const),
);

describe('what is frozen', () => {
  it('says what it said, and nobody changes it', () => {
    fc.assert(
      fc.property(states, ([before, now]) => {
        const kept = deepFreeze(copy(now), deepFreeze(copy(before)));
        expect(same(kept, copy(now))).toBe(true);
        for (const [, value] of within(kept)) expect(Object.isFrozen(value)).toBe(true);
      }),
    );
  });

  it('is made of what was there before wherever that is the same', () => {
    fc.assert(
      fc.property(states, ([first, now]) => {
        const before = deepFreeze(copy(first));
        const there = new Map(within(before));
        for (const [path, value] of within(deepFreeze(copy(now), before)))
          if (isObject(value) && same(there.get(path), value)) expect(value).toBe(there.get(path));
      }),
    );
  });

  it('takes nothing over from the prototype of records', () => {
    const now = JSON.parse('{"a": {"__proto__": {}, "constructor": "x"}}');
    const kept = deepFreeze(now, deepFreeze({ a: {} })) as { a: object };
    expect(Object.getOwnPropertyDescriptor(kept.a, '__proto__')?.value).not.toBe(Object.prototype);
    expect(JSON.stringify(kept)).toBe('{"a":{"__proto__":{},"constructor":"x"}}');
  });

  it('is what it was before, where that was frozen already', () => {
    const before = deepFreeze({ a: [1] });
    expect(deepFreeze(Object.freeze({ a: [1] }), before)).toBe(before);
    expect(deepFreeze(Object.freeze({ a: [2] }), before)).toEqual({ a: [2] });
  });
});

/** The same JSON in any order of its fields. */
function same(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return Object.is(a, b);
  const [left, right] = [Object.entries(a), Object.entries(b)];
  if (Array.isArray(a) !== Array.isArray(b) || left.length !== right.length) return false;
  return right.every(([field, value]) => Object.hasOwn(a, field) && same(Reflect.get(a, field), value));
}
