import { describe, expect, it } from 'vitest';
import { candidate, expired, fenced, following, leading, memory, type situation } from '../given-situation.js';
import { lineOf } from '../given-step.js';

const b = fenced('b', 90);
const silent = candidate('a');

describe('the plan for a person or a preference that wants another leader', () => {
  it.each<readonly [string, string, Parameters<typeof situation>[0]]>([
    [
      'tells a leader 5 to c, b replica 5, c replica 5',
      'a person wants another leader',
      {
        candidates: [leading, following('b'), following('c')],
        switchover: { value: 'x', to: 'c', acceptsLoss: false },
      },
    ],
    [
      'tells a leader 5, b replica 5',
      'the replica is still copying',
      {
        candidates: [leading, following('b', { isComplete: false })],
        switchover: { value: 'x', to: 'b', acceptsLoss: false },
      },
    ],
    [
      'tells a leader 5, b replica 5',
      'the last handover has failed',
      {
        candidates: [
          {
            ...leading,
            report: { ...leading.report, handover: { term: 5, to: 'b', problem: 'late', request: 'x' } },
          } as never,
          following('b'),
        ],
        switchover: { value: 'x', to: 'b', acceptsLoss: false },
      },
    ],
    [
      'tells a leader 5 to b, b replica 5',
      'an earlier request has failed',
      {
        candidates: [
          {
            ...leading,
            report: { ...leading.report, handover: { term: 5, to: 'b', problem: 'late', request: 'w' } },
          } as never,
          following('b'),
        ],
        switchover: { value: 'x', to: 'b', acceptsLoss: false },
      },
    ],
    [
      'tells a leader 5 to b, b replica 5',
      'a handover has failed in an earlier term',
      {
        candidates: [
          { ...leading, report: { ...leading.report, handover: { term: 4, to: 'b', problem: 'late' } } } as never,
          following('b'),
        ],
        switchover: { value: '', to: 'b', acceptsLoss: false },
      },
    ],
    [
      'elects b in term 6',
      'a person accepts the loss',
      {
        lease: expired,
        candidates: [silent, b, candidate('c')],
        switchover: { value: 'x', to: 'b', acceptsLoss: true },
      },
    ],
    [
      'tells a none 6, b none 6',
      'a person accepts the loss, and the leader cannot hand over',
      {
        candidates: [leading, fenced('b', 9, { term: 5 }, { replicationId: 'other' })],
        switchover: { value: 'x', to: 'b', acceptsLoss: true },
      },
    ],
    [
      'tells a leader 5 to b, b replica 5',
      'the preferred zone has a replica, after minTenure',
      { candidates: [leading, { ...following('b'), zone: 'z' }], of: { prefer: { zone: 'z', minTenure: '10s' } } },
    ],
    [
      'tells a leader 5, b replica 5',
      'the leader has not led for minTenure',
      {
        candidates: [leading, { ...following('b'), zone: 'z' }],
        of: { prefer: { zone: 'z', minTenure: '1h' } },
        memory: { ...memory, since: 999_000 },
      },
    ],
  ])('%s when %s', (expected, _, given) => {
    expect(lineOf(given)).toBe(expected);
  });
});
