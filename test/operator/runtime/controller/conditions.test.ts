import { describe, expect, it } from 'vitest';
import {
  type Condition,
  conditionsOf,
  type Finding,
  findings,
  readiness,
} from '../../../../operator/runtime/controller/conditions.js';

type Status = Condition['status'];
const finding = (type: string, status: Status): Finding => ({
  type,
  status,
  reason: `${type}${status}`,
  message: 'so',
});

describe('Ready', () => {
  it.each([
    {
      ready: 'True',
      reason: 'Ready',
      of: [
        ['A', 'True'],
        ['B', 'True'],
      ],
    },
    {
      ready: 'False',
      reason: 'BFalse',
      of: [
        ['A', 'True'],
        ['B', 'False'],
      ],
    },
    {
      ready: 'Unknown',
      reason: 'AUnknown',
      of: [
        ['A', 'Unknown'],
        ['B', 'True'],
      ],
    },
    {
      ready: 'False',
      reason: 'BFalse',
      of: [
        ['A', 'Unknown'],
        ['B', 'False'],
      ],
    },
    {
      ready: 'False',
      reason: 'AFalse',
      of: [
        ['A', 'False'],
        ['B', 'False'],
      ],
    },
    { ready: 'Unknown', reason: 'Pending', of: [['A', 'True']] },
    { ready: 'False', reason: 'BFalse', of: [['B', 'False']] },
    {
      ready: 'True',
      reason: 'Ready',
      of: [
        ['A', 'True'],
        ['B', 'True'],
        ['NotAsked', 'False'],
      ],
    },
  ] as { ready: Status; reason: string; of: [string, Status][] }[])(
    'R24 is $ready because of $reason where $of',
    ({ ready, reason, of }) => {
      const found = of.map(([type, status]) => finding(type, status));
      expect(readiness(['A', 'B'], found)).toMatchObject({ type: 'Ready', status: ready, reason });
    },
  );
});

describe('a condition', () => {
  const before: Condition = {
    ...finding('A', 'True'),
    lastTransitionTime: '2030-01-01T00:00:00Z',
    observedGeneration: 1,
  };

  it.each([
    {
      time: 'keeps its time',
      when: 'only reason and message change',
      status: 'True',
      expected: '2030-01-01T00:00:00Z',
    },
    { time: 'gets a new time', when: 'its status changes', status: 'False', expected: '2030-02-02T00:00:00Z' },
  ] as const)('R24 $time when $when', ({ status, expected }) => {
    const [after] = conditionsOf([{ ...finding('A', status), reason: 'New', message: 'new' }], [before], {
      generation: 2,
      now: '2030-02-02T00:00:00Z',
    });
    expect(after).toEqual({
      ...{ type: 'A', status, reason: 'New', message: 'new' },
      ...{ lastTransitionTime: expected, observedGeneration: 2 },
    });
  });
});

describe('marks', () => {
  const vocabulary = { A: { Good: ['True', 'all is good'], Bad: ['False', 'all is bad', 'Mend it.'] } } as const;

  it('take status and sentence from the vocabulary, unless they bring a message', () => {
    expect(findings(vocabulary, { A: { reason: 'Bad' } })).toEqual([
      { type: 'A', status: 'False', reason: 'Bad', message: 'all is bad' },
    ]);
    expect(findings(vocabulary, { A: { reason: 'Good', message: '3 of 3' } })).toMatchObject([{ message: '3 of 3' }]);
  });

  it('say nothing of what there is nothing to say about', () => {
    expect(findings(vocabulary, { A: undefined })).toEqual([]);
  });

  it.each(['Unheard', 'constructor'])('with the undeclared reason %s are refused', (reason) => {
    expect(() => findings(vocabulary, { A: { reason } })).toThrow(
      `condition A has no reason ${reason}: declare it in conditions`,
    );
  });
});
