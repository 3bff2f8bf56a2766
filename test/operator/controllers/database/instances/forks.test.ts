import { expect, test } from 'vitest';
import { forksIn } from '../../../../../operator/controllers/database/instances/forks.js';
import type { LiveConfigMap } from '../../../../../operator/runtime/index.js';
import { live } from '../../../../given.js';

function config(history?: string): LiveConfigMap {
  const metadata = { name: 'orders-config', ...(history !== undefined && { annotations: { history } }) };
  return live({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

test.each([
  { when: 'nobody was promoted', history: undefined, forks: {} },
  {
    when: 'two were',
    history:
      '[[1,83886248,"no recovery target specified","2026-11-22T02:50:12+00:00","orders-2"],[2,117440648,"no","",""]]',
    forks: { 1: 83886248, 2: 117440648 },
  },
  { when: 'it is no JSON', history: '[[1,', forks: {} },
  { when: 'it is something else', history: '{"1":2}', forks: {} },
  { when: 'a line of it is something else', history: '[null,[1],["1",5],[2,9]]', forks: { 2: 9 } },
])('where timelines have ended, when $when', ({ history, forks }) => {
  expect(forksIn(config(history))).toEqual(forks);
});

test('where timelines have ended, when Patroni has no ConfigMap yet', () => {
  expect(forksIn(undefined)).toEqual({});
});
