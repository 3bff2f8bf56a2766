import { expectTypeOf, test } from 'vitest';
import {
  type algorithm,
  type algorithmSpec,
  boolean,
  enumeration,
  type InputOf,
  integer,
  list,
  object,
  quantity,
  type StatusOf,
  type StoredOf,
  string,
  withDefaults,
} from '../../../crds/index.js';
import type { AlgorithmSpec, AlgorithmSpecInput, AlgorithmStatus } from '../../../imports/index.js';

const spec = object('o', {
  required: string('s'),
  defaulted: integer('i', { default: 1 }),
  optional: boolean('b', { optional: true }),
  nullable: string('s', { nullable: true }),
  mode: enumeration('e', ['fast', 'slow'], { default: 'fast' }),
  inner: object('o', { size: quantity('q', { default: '1' }) }, { default: {} }),
  items: list('l', object('o', { deep: integer('i', { default: 1 }) }), { optional: true }),
});

test('an input type makes fields with defaults optional', () => {
  expectTypeOf<InputOf<typeof spec>>().toEqualTypeOf<{
    readonly required: string;
    readonly nullable: string | null;
    readonly defaulted?: number;
    readonly optional?: boolean;
    readonly mode?: 'fast' | 'slow';
    readonly inner?: { readonly size?: number | string };
    readonly items?: readonly { readonly deep?: number }[];
  }>();
});

test('the stored type requires fields with defaults', () => {
  expectTypeOf<StoredOf<typeof spec>>().toEqualTypeOf<{
    readonly required: string;
    readonly nullable: string | null;
    readonly defaulted: number;
    readonly mode: 'fast' | 'slow';
    readonly inner: { readonly size: number | string };
    readonly optional?: boolean;
    readonly items?: readonly { readonly deep: number }[];
  }>();
  expectTypeOf(withDefaults<typeof spec>).returns.toEqualTypeOf<StoredOf<typeof spec>>();
});

test('the generated interfaces of an Algorithm and the inferred types are the same', () => {
  expectTypeOf<StoredOf<typeof algorithmSpec>>().toExtend<AlgorithmSpec>();
  expectTypeOf<AlgorithmSpec>().toExtend<StoredOf<typeof algorithmSpec>>();
  expectTypeOf<InputOf<typeof algorithmSpec>>().toExtend<AlgorithmSpecInput>();
  expectTypeOf<AlgorithmSpecInput>().toExtend<InputOf<typeof algorithmSpec>>();
  expectTypeOf<StatusOf<typeof algorithm>>().toExtend<AlgorithmStatus>();
  expectTypeOf<AlgorithmStatus>().toExtend<StatusOf<typeof algorithm>>();
  expectTypeOf<keyof AlgorithmSpec>().toEqualTypeOf<keyof StoredOf<typeof algorithmSpec>>();
  expectTypeOf<keyof AlgorithmStatus>().toEqualTypeOf<keyof StatusOf<typeof algorithm>>();
});
