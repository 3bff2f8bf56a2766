import { describe, expect, it } from 'vitest';
import { type Step, stepOf } from '../../../../../../operator/controllers/algorithm/trial/plan/index.js';
import type { Situation } from '../../../../../../operator/controllers/algorithm/trial/situation.js';

const [old, now] = [
  { name: 'v1', number: 1 },
  { name: 'v2', number: 0 },
];
const lifecycle = { canaryWeight: 20, paused: false };
const tried = (stage: string, revision = 'v2') => ({ revision, state: { stage } });

/** The version v2 of the spec, where v1 is stable and its pods are available. */
const coming = {
  ...{ lifecycle, versions: { stable: old, before: undefined }, wanted: now, isStable: false, record: undefined },
  ...{ traffic: { unsplit: undefined, isTaken: true }, main: { available: 3 } },
};
const promoted = { versions: { stable: { name: 'v2', number: 2 }, before: old }, isStable: true };

describe('what is to be done about the version of the spec', () => {
  it.each<{ course: Step; when: string; given: object }>([
    { course: 'first', when: 'nothing was promoted', given: { versions: {} } },
    { course: 'begin', when: 'it is new', given: {} },
    { course: 'rest', when: 'it is the stable one', given: { isStable: true } },
    { course: 'leave', when: 'there is no lifecycle', given: { lifecycle: undefined } },
    { course: 'pause', when: 'it is new, and trials are paused', given: { lifecycle: { ...lifecycle, paused: true } } },
    { course: 'replace', when: 'it is to have no trial', given: { lifecycle: { ...lifecycle, canaryWeight: 0 } } },
    { course: 'replace', when: 'nothing splits requests', given: { traffic: { unsplit: 'NoGateway' } } },
    { course: 'replace', when: 'no stable pod is available', given: { main: { available: 0 } } },
    { course: 'replace', when: 'there are no stable pods', given: { main: undefined } },
    { course: 'prepare', when: 'the gateway is not there yet', given: { traffic: { isTaken: false } } },
    { course: 'try', when: 'it is on trial', given: { record: tried('steps') } },
    {
      course: 'try',
      when: 'it is on trial, and that is paused',
      given: { record: tried('steps'), lifecycle: { ...lifecycle, paused: true } },
    },
    {
      course: 'try',
      when: 'it is on trial, and the stable pods are gone',
      given: { record: tried('steps'), main: { available: 0 } },
    },
    { course: 'begin', when: 'another one was on trial', given: { record: tried('steps', 'v3') } },
    { course: 'begin', when: 'another one was taken back', given: { record: tried('takenBack', 'v3') } },
    { course: 'promote', when: 'it was proved good', given: { record: tried('bake') } },
    { course: 'promote', when: 'it is in its bake', given: { ...promoted, record: tried('bake') } },
    { course: 'undo', when: 'it was taken back', given: { record: tried('takenBack') } },
    { course: 'undo', when: 'it was taken back in its bake', given: { ...promoted, record: tried('takenBack') } },
    {
      course: 'rest',
      when: 'it was taken back, and no other is known',
      given: { isStable: true, record: tried('takenBack') },
    },
    {
      course: 'rest',
      when: 'it went back in the middle of a trial',
      given: { isStable: true, record: tried('steps', 'v3') },
    },
  ])('is to $course when $when', ({ course, given }) => {
    const { lifecycle: of, ...situation } = { ...coming, ...given } as typeof coming;
    expect(stepOf({ ...situation, resource: { spec: { lifecycle: of } } } as unknown as Situation)).toBe(course);
  });
});
