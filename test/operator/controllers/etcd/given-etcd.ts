import { expect, test } from 'vitest';
import { planOf, type Step } from '../../../../operator/controllers/etcd/plan.js';
import type { EtcdAnswer, EtcdMember } from '../../../../operator/controllers/etcd/ports/cluster.js';
import type { Node, Situation } from '../../../../operator/controllers/etcd/situation.js';
import { member, now, stopped } from '../../members/given-members.js';
import { answerOf, memberOf } from './etcd-model.js';

export { answerOf, memberOf } from './etcd-model.js';

/** A member that etcd has added as a learner and that has not started. */
export function learnerOf(number: number, changes: Partial<EtcdMember> = {}): EtcdMember {
  const { name: _, report: __, ...added } = memberOf(number);
  return { ...added, isLearner: true, isHealthy: false, ...changes };
}

/** A member that serves. What etcd has for it follows from its number. */
export function node(number: number, changes: Partial<Node> = {}): Node {
  return { ...member(number), hasStarted: true, ...changes };
}

/** Members by their numbers, each with what differs. */
export const nodes = (changes: Readonly<Record<number, Partial<Node>>>, ...numbers: readonly number[]) =>
  (numbers.length > 0 ? numbers : [1, 2, 3]).map((number) => node(number, changes[number]));

/** The volume of this member is on a node that was deleted ten minutes ago. */
export const lost: Partial<Node> = {
  ...stopped,
  ...{ unreadySince: now - 600_000, trouble: undefined, home: 'node-gone', isNodeGone: true },
};

/** etcd members that run, by their numbers. */
export const members = (...numbers: readonly number[]) => numbers.map((number) => memberOf(number));

/** A situation. Three members are wanted, and etcd has those that have objects. */
export function situation(is: readonly Node[], changes: Partial<Situation> = {}): Situation {
  const numberOf = (name: string) => Number(name.slice('store-'.length));
  const cluster: EtcdAnswer | undefined =
    'cluster' in changes ? changes.cluster : answerOf(...members(...is.map(({ name }) => numberOf(name))));
  const urlOf = (name: string) => memberOf(numberOf(name)).peerUrls[0];
  const etcdOf = (name: string) => cluster?.members.find(({ peerUrls: [url] }) => url === urlOf(name));
  return {
    ...{ name: 'store', namespace: 'shop', token: 'uid', wanted: 3, revision: 'r1', now, replaceAfter: 300_000 },
    ...{ isFormed: true, ...changes, cluster },
    members: is.map((one) => ({ ...one, etcd: etcdOf(one.name) })),
  };
}

/** The plan of such a situation. */
export const planned = (is: readonly Node[], changes: Partial<Situation> = {}) => planOf(situation(is, changes));

/** Steps as texts: the act and its subject, or what is waited for. */
export function told({ steps }: { readonly steps: readonly Step[] }): readonly string[] {
  return steps.map((step) => {
    if (step.act === 'wait') return `wait: ${step.why}`;
    if (step.act === 'add') return `add ${step.names.join(', ')}`;
    if (step.act !== 'call') return `${step.act} ${step.member.name}`;
    const { act, ...subject } = step.request;
    return `call ${act} ${Object.values(subject).join('')}`;
  });
}

/** A situation and its steps, as a row of a table. */
interface Row extends Partial<Omit<Situation, 'members'>> {
  readonly steps: readonly string[];
  readonly when: string;
  readonly is: readonly Node[];
}

/** One test for each situation. */
export function decides(rows: readonly Row[]): void {
  test.each(rows)('$steps when $when', ({ steps, when: _, is, ...changes }) => {
    expect(told(planned(is, changes))).toEqual(steps);
  });
}

/** The ID and the URL of a member, by its number. */
export const id = (number: number) => memberOf(number).id;
export const url = (number: number) => memberOf(number).peerUrls[0] ?? '';

/** What differs in a member that does not follow the leader. */
export const down = { isHealthy: false };

/** Members of an etcd without a quorum. No one follows a leader. */
export const without = (...numbers: readonly number[]): EtcdAnswer => ({
  ...{ clusterId: 'c1', hasQuorum: false, silent: {} },
  members: numbers.map((number) => memberOf(number, down)),
});
