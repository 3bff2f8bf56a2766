import { describe, expect, it } from 'vitest';
import { isKept, outcomeOf } from './inventory.js';
import { sums } from './leading-operator.js';

const pod = (uid: string, restarts = 0) => ({ name: 'orders-1', uid, restarts });
const before = { pods: [pod('a', 1)], objects: { 'Secret orders': 's', 'Service orders': 't' } };
const nothing = { restarted: [], replaced: [], changed: [] };

describe('the outcome of an upgrade', () => {
  it.each([
    ['keeps a Pod with its earlier restarts', before, { ...nothing, kept: 1 }],
    ['restarts a Pod', { ...before, pods: [pod('a', 2)] }, { ...nothing, kept: 0, restarted: ['orders-1'] }],
    ['replaces a Pod', { ...before, pods: [pod('b')] }, { ...nothing, kept: 0, replaced: ['orders-1'] }],
    ['loses a Pod', { ...before, pods: [] }, { ...nothing, kept: 0, replaced: ['orders-1'] }],
    ['adds a Pod', { ...before, pods: [pod('a', 1), pod('b')] }, { ...nothing, kept: 1 }],
    [
      'recreates a Secret and deletes a Service',
      { ...before, objects: { 'Secret orders': 'u' } },
      { ...nothing, kept: 1, changed: ['Secret orders', 'Service orders'] },
    ],
  ])('tells when it %s', (_, after, outcome) => {
    const found = outcomeOf('database', before, after);
    expect(found).toEqual({ kind: 'database', before: 1, ...outcome });
    expect(isKept(found)).toBe([outcome.restarted, outcome.replaced, outcome.changed].every((all) => all.length === 0));
  });

  it('counts the reconciles of each controller, whatever their result', () => {
    const text = [
      'total{controller="a",result="success"} 2',
      'total{result="error",controller="a"} 1',
      'total_other{controller="b"} 1',
    ].join('\n');
    expect(sums(text, 'total')).toEqual({ a: 3 });
  });
});
