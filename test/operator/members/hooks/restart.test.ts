import { describe, expect, it, test } from 'vitest';
import {
  announcedMember,
  hookToRun,
  type Member,
  type MemberRestarts,
  postRestartHold,
  preRestartHold,
  type RecordedRestart,
} from '../../../../operator/members/index.js';
import { member } from '../given-members.js';

const old = member(1, { revision: 'r0' });
const done = member(1, { revision: 'r1' });
const record: RecordedRestart = { member: 'store-1', target: 'r1', preRestart: 'Running', postRestart: 'Pending' };

/** A kind with both hooks whose desired revision is `r1`. */
function restarts(recorded: RecordedRestart | undefined, is = old, changes: Partial<MemberRestarts<Member>> = {}) {
  return {
    ...{ hooks: { preRestart: true, postRestart: true }, recorded, members: [is, member(2)] },
    isOutdated: ({ revision }: Member) => revision !== 'r1',
    targetOf: () => 'r1',
    hasState: ({ revision }: Member, target: string) => revision === target,
    serves: ({ isReady }: Member) => isReady,
    ...changes,
  };
}

describe('the hook that runs', () => {
  test.each<{ is: string | undefined; when: string; given: ReturnType<typeof restarts> }>([
    { is: undefined, when: 'the status has no restart', given: restarts(undefined) },
    { is: 'preRestart', when: 'the status has it', given: restarts(record) },
    { is: 'preRestart', when: 'it has failed and has time', given: restarts({ ...record, preRestart: 'Failed' }) },
    { is: undefined, when: 'it has succeeded', given: restarts({ ...record, preRestart: 'Succeeded' }) },
    { is: undefined, when: 'its time has passed', given: restarts({ ...record, preRestart: 'Expired' }) },
    { is: undefined, when: 'the spec has changed since', given: restarts({ ...record, target: 'r7' }) },
    { is: undefined, when: 'the spec has no hooks any more', given: restarts(record, old, { hooks: undefined }) },
    { is: undefined, when: 'its Pod is missing', given: restarts(record, member(1, { pod: 'none', revision: 'r0' })) },
    {
      is: 'postRestart',
      when: 'the member serves again, whatever happened before',
      given: restarts(record, done),
    },
    {
      is: undefined,
      when: 'the member does not serve yet',
      given: restarts({ ...record, preRestart: 'Succeeded' }, member(1, { isReady: false })),
    },
    {
      is: 'postRestart',
      when: 'it runs, and the member fails meanwhile',
      given: restarts({ ...record, postRestart: 'Running' }, member(1, { isReady: false })),
    },
    { is: undefined, when: 'it has ended', given: restarts({ ...record, postRestart: 'Succeeded' }, done) },
  ])('is $is when $when', ({ is, given }) => {
    expect(hookToRun(given)?.hook).toBe(is);
  });
});

describe('a restart', () => {
  it('is in the status before it begins', () => {
    const hold = preRestartHold(old, restarts(undefined), ', which interrupts partitions');
    expect(hold?.why).toBe('store-1 is restarted next, which interrupts partitions');
    expect(announcedMember<Member>(hold ? [hold] : [])?.name).toBe('store-1');
  });

  it('waits for its hook, and no longer', () => {
    expect(preRestartHold(old, restarts(record))?.why).toContain('when the hook preRestart has succeeded');
    expect(announcedMember([preRestartHold(old, restarts(record)) ?? {}])).toBeUndefined();
    expect(preRestartHold(old, restarts({ ...record, preRestart: 'Succeeded' }))).toBeUndefined();
    expect(preRestartHold(old, restarts({ ...record, preRestart: 'Expired' }))).toBeUndefined();
  });

  it('is recorded again for another state or another member', () => {
    expect(announcedMember([preRestartHold(old, restarts({ ...record, target: 'r7' })) ?? {}])).toBe(old);
    const other = member(2, { revision: 'r0' });
    expect(announcedMember([preRestartHold(other, restarts(record)) ?? {}])).toBe(other);
  });

  it('of another member waits for the hook postRestart', () => {
    expect(postRestartHold(restarts(record, done), 'node')?.why).toBe(
      'no node is replaced before the hook postRestart of store-1 has ended',
    );
    expect(postRestartHold(restarts(record), 'node')).toBeUndefined();
  });
});
