import type { Member } from '../../members/index.js';

/** What a member can be, by a name for messages. */
export interface MemberState {
  readonly name: string;
  /** The fields of the member. The kind adds its own. */
  readonly member: Omit<Member, 'name' | 'revision'>;
  /** Its Pod was created from another template than desired. */
  readonly isOutdated: boolean;
  /** What it reports is known. */
  readonly isKnown: boolean;
}

const node = { node: 'node', zone: 'zone' } as const;
const there = { pod: 'there', claim: 'there' } as const;
/** Longer than any kind waits, in milliseconds. */
const longAgo = 0;

const running = { ...there, ...node, isReady: true, readySince: longAgo } as const;
const unready = { ...there, ...node, isReady: false, unreadySince: longAgo } as const;

/** States from which every situation of the contract is made. */
export const memberStates: readonly MemberState[] = [
  { name: 'serves', member: running, isOutdated: false, isKnown: true },
  { name: 'serves, outdated', member: running, isOutdated: true, isKnown: true },
  { name: 'is ready and does not answer', member: running, isOutdated: false, isKnown: false },
  { name: 'is ready, outdated, and does not answer', member: running, isOutdated: true, isKnown: false },
  { name: 'is not ready', member: unready, isOutdated: false, isKnown: false },
  { name: 'is not ready, outdated', member: unready, isOutdated: true, isKnown: false },
  {
    name: 'fails, outdated',
    member: { ...unready, trouble: 'container engine: exited with code 1' },
    ...{ isOutdated: true, isKnown: false },
  },
  {
    name: 'is on a node that is not ready',
    member: { ...unready, isNodeLost: true, trouble: 'its node node is not ready' },
    ...{ isOutdated: false, isKnown: false },
  },
  {
    name: 'has its volume on a deleted node',
    member: { ...there, isReady: false, unreadySince: longAgo, home: 'gone', isNodeGone: true },
    ...{ isOutdated: false, isKnown: false },
  },
  { name: 'has no Pod', member: { pod: 'none', claim: 'there', isReady: false }, isOutdated: false, isKnown: false },
  {
    name: 'has a terminating Pod',
    member: { pod: 'ending', claim: 'there', isReady: false },
    ...{ isOutdated: false, isKnown: false },
  },
  {
    name: 'has a terminating PVC',
    member: { ...running, claim: 'ending' },
    ...{ isOutdated: false, isKnown: true },
  },
  {
    name: 'has a terminating PVC and no Pod',
    member: { pod: 'none', claim: 'ending', isReady: false },
    ...{ isOutdated: false, isKnown: false },
  },
  { name: 'has a PVC without labels', member: { ...running, claim: 'none' }, isOutdated: false, isKnown: true },
];

/** All groups of so many members, in every order, because the first one is often special. */
export function* groupsOf(size: number): Generator<readonly MemberState[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (const rest of groupsOf(size - 1)) for (const state of memberStates) yield [...rest, state];
}
