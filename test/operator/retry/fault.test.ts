import { describe, expect, it } from 'vitest';
import { faultText, ruleFor } from '../../../operator/retry/fault.js';
import type { Fault, FaultMatch } from '../../../operator/retry/index.js';
import { fault } from './given-fault.js';

describe('a rule', () => {
  it.each<{ what: string; when: FaultMatch; given: Partial<Fault>; isMatch: boolean }>([
    { what: 'one of the exit codes', when: { exitCodes: [1, 2] }, given: { exitCode: 2 }, isMatch: true },
    { what: 'another exit code', when: { exitCodes: [1, 2] }, given: { exitCode: 3 }, isMatch: false },
    { what: 'no exit code', when: { exitCodes: [0] }, given: { exitCode: undefined }, isMatch: false },
    {
      what: 'one of the reasons',
      when: { reason: ['Error', 'OOMKilled'] },
      given: { reason: 'OOMKilled' },
      isMatch: true,
    },
    { what: 'a part of a reason', when: { reason: ['OOM'] }, given: { reason: 'OOMKilled' }, isMatch: false },
    {
      what: 'a part of the message',
      when: { message: ['disk'] },
      given: { message: 'No space on disk 3' },
      isMatch: true,
    },
    { what: 'another message', when: { message: ['disk'] }, given: { message: 'No memory' }, isMatch: false },
    { what: 'no message', when: { message: ['disk'] }, given: {}, isMatch: false },
    {
      what: 'one of the conditions',
      when: { podConditions: ['DisruptionTarget'] },
      given: { podConditions: ['Ready', 'DisruptionTarget'] },
      isMatch: true,
    },
    { what: 'no condition', when: { podConditions: ['DisruptionTarget'] }, given: {}, isMatch: false },
    {
      what: 'only one of two lists',
      when: { exitCodes: [1], reason: ['Error'] },
      given: { exitCode: 1, reason: 'Other' },
      isMatch: false,
    },
    { what: 'anything without a list', when: {}, given: {}, isMatch: true },
  ])('is asked about $what', ({ when, given, isMatch }) => {
    const rule = { when, do: 'Fail' } as const;
    expect(ruleFor(fault(given), { rules: [rule] })).toBe(isMatch ? rule : undefined);
  });
});

describe('the text of a failure', () => {
  it.each([
    [{ exitCode: 137, reason: 'OOMKilled' }, 'exit code 137 (OOMKilled)'],
    [{ exitCode: 1, message: 'no input' }, 'exit code 1: no input'],
    [{ exitCode: undefined, reason: 'Evicted', message: 'low on memory' }, 'Evicted: low on memory'],
    [{ exitCode: undefined }, 'no cause is known'],
  ])('of %j is %s', (given, text) => {
    expect(faultText(fault(given))).toBe(text);
  });
});
