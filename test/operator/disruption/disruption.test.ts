import { describe, expect, it, test } from 'vitest';
import {
  type Disruption,
  disruptionOf,
  type Member,
  type MemberState,
  type ReplicatedGroup,
} from '../../../operator/disruption/disruption.js';

const states = ['up', 'down', 'unknown'] as const;
const letters: Readonly<Record<string, MemberState>> = { u: 'up', d: 'down', '?': 'unknown' };

/** A group of members a, b, c …: `u` is up, `d` down, `?` unknown. */
function group(text: string, needed: number): ReplicatedGroup {
  const members = [...text].map((letter, at): Member => {
    return { name: String.fromCharCode(97 + at), state: letters[letter] ?? 'unknown' };
  });
  return { members, needed };
}

describe('member a is taken down', () => {
  test.each<readonly [Disruption, string, readonly ReplicatedGroup[] | undefined]>([
    ['Safe', 'two of three are up without it, and two must be', [group('uuu', 2)]],
    ['Safe', 'it is in no group', [group('', 0)]],
    ['Safe', 'it is down already, with too few others up', [group('ddu', 2)]],
    ['Safe', 'the group can spare all', [group('ud', 0)]],
    ['Excessive', 'another is down', [group('udu', 2)]],
    ['Excessive', 'it is the last one up, although another could be', [group('ud', 1)]],
    ['Excessive', 'all that are left are fewer than needed, and one of them is down', [group('ud', 2)]],
    ['Unavoidable', 'it is alone', [group('u', 1)]],
    ['Unavoidable', 'the group needs all members, which are up', [group('uuu', 3)]],
    ['Unknown', 'nothing is known of another', [group('uu?', 1)]],
    ['Unknown', 'nothing is known of itself', [group('?uu', 1)]],
    [
      'Unknown',
      'nothing is known of a member of another group',
      [group('uuu', 2), { members: group('??', 1).members.slice(1), needed: 1 }],
    ],
    ['Unknown', 'its groups are not known', undefined],
    ['Excessive', 'one of its groups is worse than the others', [group('u', 1), group('udu', 2), group('uuu', 2)]],
  ])('%s: %s', (expected, _, groups) => {
    expect(disruptionOf('a', groups)).toBe(expected);
  });
});

/** All groups of up to four members, in all states, with all numbers that they may need. */
function* everyGroup(): Generator<ReplicatedGroup> {
  for (let size = 0; size <= 4; size++)
    for (let code = 0; code < states.length ** size; code++)
      for (let needed = 0; needed <= size + 1; needed++) {
        const members = Array.from({ length: size }, (_, at) => ({
          name: String.fromCharCode(97 + at),
          state: states[Math.floor(code / states.length ** at) % states.length] ?? 'unknown',
        }));
        yield { members, needed };
      }
}

const upIn = ({ members }: ReplicatedGroup, without?: string) =>
  members.filter(({ name, state }) => state === 'up' && name !== without).length;

/** Whether the rule breaks what it guarantees. */
function isWrong(groups: readonly ReplicatedGroup[], verdict: Disruption): boolean {
  if (verdict !== 'Safe') return false;
  return groups.some((one) => {
    const left = upIn(one, 'a');
    return one.members.some(({ state }) => state === 'unknown') || (left < one.needed && left < upIn(one));
  });
}

describe('of all groups of up to four members', () => {
  const all = [...everyGroup()];

  it('none loses a member that it needs, and nothing unknown counts as safe', () => {
    expect(all.length).toBeGreaterThan(600);
    expect(all.filter((one) => isWrong([one], disruptionOf('a', [one])))).toEqual([]);
  });

  it('no pair does', () => {
    const few = all.filter(({ members }) => members.length <= 3);
    const wrong = few.flatMap((one) =>
      few.filter((other) => isWrong([one, other], disruptionOf('a', [one, other]))).map((other) => [one, other]),
    );
    expect(wrong).toEqual([]);
  });

  it('the rule does not refuse what is safe, and does not wait where waiting cannot help', () => {
    for (const one of all) {
      const verdict = disruptionOf('a', [one]);
      const isKnown = one.members.every(({ state }) => state !== 'unknown');
      const isEnough = upIn(one, 'a') >= one.needed || upIn(one, 'a') === upIn(one);
      expect([one, verdict === 'Safe']).toEqual([one, isKnown && isEnough]);
      const couldHelp = one.members.some(({ name, state }) => name !== 'a' && state === 'down');
      if (verdict === 'Excessive') expect([one, couldHelp]).toEqual([one, true]);
      if (verdict === 'Unavoidable') expect([one, couldHelp]).toEqual([one, false]);
    }
  });
});
