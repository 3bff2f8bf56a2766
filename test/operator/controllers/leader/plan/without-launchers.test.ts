import { describe, expect, it } from 'vitest';
import { candidate, expired, memory, noMemory, released, type situation } from '../given-situation.js';
import { lineOf } from '../given-step.js';

describe('the plan of an election without launchers', () => {
  const [ready, other] = [candidate('a'), candidate('b')];
  const of = { application: { label: {} }, ports: [{ name: 'http', port: 80 }] };
  const http = { http: { path: '/', port: 8080 } };
  const hooks = { of: { ...of, application: { hooks: { promote: http, demote: http, status: http } } } };
  const labelled = (one: typeof ready, isLabelled: boolean) => ({ ...one, told: { term: '5', isLabelled } });
  const roles = [labelled(ready, true), labelled(other, false)] as const;
  const says = (role: 'leader' | 'replica', term = 5) => ({ hook: { role, term } });
  it.each<readonly [string, string, Parameters<typeof situation>[0]]>([
    ['elects a in term 6', 'no Pod has led', { of, lease: released, candidates: [ready, other], memory: noMemory }],
    [
      'elects b in term 6',
      'another client has emptied the Lease while b leads',
      { of, lease: released, candidates: [ready, other], memory: { ...memory, leaderUid: 'uid-b' } },
    ],
    [
      'waits: end a',
      'another client has emptied the Lease while the Pod of the leader ends',
      { of, lease: released, candidates: [{ ...ready, isEnding: true }, other] },
    ],
    [
      'deletes a',
      'another client has emptied the Lease, and the leader is not ready for the duration of a Lease',
      { of, lease: released, candidates: [{ ...ready, isReady: false, notReadySince: 985_000 }, other] },
    ],
    [
      'elects b in term 6',
      'another client has emptied the Lease, and the Pod of the leader is gone',
      { of, lease: released, candidates: [other], existing: ['uid-b'] },
    ],
    [
      'elects b in term 6',
      'the application of another one leads already',
      { ...hooks, lease: released, candidates: [ready, { ...other, ...says('leader') }], memory: noMemory },
    ],
    [
      'waits: ready a',
      'no Pod is ready',
      { of, lease: released, candidates: [{ ...ready, isReady: false }], memory: noMemory },
    ],
    ['tells a labelled 5, b 5', 'labels are not told yet', { of, candidates: [ready, other] }],
    ['rest', 'labels are told, and nobody renews the Lease', { of, lease: expired, candidates: roles }],
    ['waits: end a', 'the Pod of the leader ends', { of, candidates: [{ ...ready, isEnding: true }, other] }],
    ['elects b in term 6', 'the Pod of the leader is gone', { of, candidates: [other], existing: ['uid-b'] }],
    [
      'elects b in term 6',
      'a Pod of the same name has replaced that of the leader, and is not ready',
      { of, candidates: [{ ...ready, uid: 'new', isReady: false }, other], existing: ['new', 'uid-b'] },
    ],
    ['deletes a', 'the Pod of the leader has lost its labels', { of, candidates: [other] }],
    ['waits: end a', 'that Pod is being deleted already', { of, candidates: [other], ending: ['uid-a'] }],
    [
      'deletes a',
      'the leader is not ready for the duration of a Lease',
      { of, candidates: [{ ...ready, isReady: false, notReadySince: 985_000 }, other] },
    ],
    [
      'tells a labelled 5, b 5',
      'the leader is not ready for less',
      { of, candidates: [{ ...ready, isReady: false, notReadySince: 985_001 }, other] },
    ],
    [
      'deletes a',
      'a person wants another leader',
      { of, candidates: roles, switchover: { value: 'x', to: 'b', acceptsLoss: false } },
    ],
    [
      'rest',
      'a person wants a Pod that is no candidate',
      { of, candidates: roles, switchover: { value: 'x', to: 'z', acceptsLoss: false } },
    ],
    [
      'promote a in term 5',
      'the application does not know yet',
      { ...hooks, candidates: [{ ...roles[0], ...says('replica', 4) }, roles[1]] },
    ],
    [
      'promote a in term 5',
      'the application leads in an earlier term',
      { ...hooks, candidates: [{ ...roles[0], ...says('leader', 4) }, roles[1]] },
    ],
    [
      'demote b in term 5',
      'both say that they lead',
      {
        ...hooks,
        candidates: [
          { ...roles[0], ...says('leader') },
          { ...roles[1], ...says('leader') },
        ],
      },
    ],
    ['rest', 'the hook of the leader does not answer', { ...hooks, candidates: roles }],
    [
      'demote a in term 5',
      'a person wants another leader of hooks',
      {
        ...hooks,
        candidates: [{ ...roles[0], ...says('leader') }, roles[1]],
        switchover: { value: 'x', acceptsLoss: false },
      },
    ],
    [
      'deletes a',
      'the demotion takes too long',
      {
        ...hooks,
        candidates: [{ ...roles[0], ...says('leader') }, roles[1]],
        switchover: { value: 'x', acceptsLoss: false },
        memory: { ...memory, demoting: 970_000 },
      },
    ],
  ])('%s when %s', (expected, _, given) => {
    expect(lineOf({ fencing: 'pod', ...given })).toBe(expected);
  });
});
