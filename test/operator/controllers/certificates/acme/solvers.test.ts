import { describe, expect, it } from 'vitest';
import { retryTime } from '../../../../../operator/controllers/certificates/acme/retries.js';
import {
  solverFor,
  solverProblem,
  validatedName,
} from '../../../../../operator/controllers/certificates/acme/solvers.js';

const http = { http01: {} };
const dns = { dns01: {} };
const zoned = (zone: string) => ({ dns01: { of: zone }, selector: { dnsZones: [zone] } });
const [example, shop] = [zoned('example.com'), zoned('shop.example.com')];

describe('the solver of a name', () => {
  it.each([
    { name: 'a.example.com', solvers: [], solver: undefined },
    { name: 'a.example.com', solvers: [http, dns], solver: http },
    { name: 'a.example.com', solvers: [dns, http], solver: dns },
    { name: '*.example.com', solvers: [http, dns], solver: dns },
    { name: '*.example.com', solvers: [http], solver: undefined },
    { name: '192.0.2.1', solvers: [dns, http], solver: http },
    { name: '2001:db8::1', solvers: [dns, http], solver: http },
    { name: '2001:db8::1', solvers: [dns], solver: undefined },
    { name: 'example.com', solvers: [http, example], solver: example },
    { name: 'a.shop.example.com', solvers: [http, example, shop], solver: shop },
    { name: 'a.shop.example.com', solvers: [shop, example, http], solver: shop },
    { name: 'myexample.com', solvers: [example, http], solver: http },
    { name: 'myexample.com', solvers: [example], solver: undefined },
    { name: '*.shop.example.com', solvers: [http, shop, example], solver: shop },
    { name: 'a.example.org', solvers: [{ ...http, selector: {} }], solver: { ...http, selector: {} } },
  ])('of $name among $solvers is $solver', ({ name, solvers, solver }) => {
    expect(solverFor(validatedName(name), solvers)).toEqual(solver);
  });

  it.each([
    { names: ['a.example.com', '*.b.example.com'], solvers: [dns], problem: undefined },
    {
      names: ['a.example.com', '*.b.example.com'],
      solvers: [http],
      problem:
        'spec.dnsNames: Invalid value: "*.b.example.com": must match a solver; add one with dns01 to its issuer, because a wildcard needs DNS-01',
    },
    {
      names: ['a.example.org'],
      solvers: [example],
      problem: 'spec.dnsNames: Invalid value: "a.example.org": must match a solver; add one to its issuer',
    },
  ])('that $names lack is told as $problem', ({ names, solvers, problem }) => {
    expect(solverProblem(names, solvers)).toBe(problem);
  });
});

describe('the next order', () => {
  it.each([
    { count: 1, minutes: 1 },
    { count: 2, minutes: 15 },
    { count: 3, minutes: 30 },
    { count: 9, minutes: 32 * 60 },
    { count: 5_000, minutes: 32 * 60 },
  ])('after $count failed ones waits $minutes minutes', ({ count, minutes }) => {
    expect(retryTime({ count, last: 1_000 }, 1_000)).toBe(1_000 + minutes * 60_000);
  });

  it('does not wait without a failure', () => {
    expect(retryTime({ count: 0, last: 0 }, 0)).toBe(0);
  });
});
