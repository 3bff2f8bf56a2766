import { enumeration, integer, keyedList, list, map, object, set, string } from '../../crds/index.js';

/** Each line is refused by the compiler; `tsc` fails where one is not. */
export function refusedByTheCompiler(): void {
  // @ts-expect-error a default of another type
  integer('i', { default: '1' });
  // @ts-expect-error a default outside the enumeration
  enumeration('e', ['a', 'b'], { default: 'c' });
  // @ts-expect-error an option that is spelt wrong
  string('s', { maxLenght: 3 });
  // @ts-expect-error limits of another type
  string('s', { minimum: 3 });
  // @ts-expect-error a format that the API server does not check
  string('s', { format: 'phone' });
  // @ts-expect-error a default without a required field
  object('o', { a: string('s') }, { default: {} });
  // @ts-expect-error items with a default
  list('l', string('s', { default: 'a' }));
  // @ts-expect-error optional items
  list('l', string('s', { optional: true }));
  // @ts-expect-error values with a default
  map('m', string('s', { default: 'a' }));
  // @ts-expect-error a set of objects
  set('l', object('o', {}));
  // @ts-expect-error a set of nullable items
  set('l', string('s', { nullable: true }));
  // @ts-expect-error a key that is no field
  keyedList('l', ['b'], object('o', { a: string('s') }));
  // @ts-expect-error a key that may be absent
  keyedList('l', ['a'], object('o', { a: string('s', { optional: true }) }));
  // @ts-expect-error a key that may be null
  keyedList('l', ['a'], object('o', { a: string('s', { nullable: true }) }));
  // @ts-expect-error a key that is no scalar
  keyedList('l', ['a'], object('o', { a: list('l', string('s')) }));
  // @ts-expect-error no key at all
  keyedList('l', [], object('o', { a: string('s') }));
  // @ts-expect-error a rule without a message
  string('s', { rules: [{ rule: 'true' }] });
  // @ts-expect-error a reason that Kubernetes does not know
  string('s', { rules: [{ rule: 'true', message: 'm', reason: 'Wrong' }] });
}
