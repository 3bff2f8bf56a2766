import { describe, expect, test } from 'vitest';
import type { KafkaNode } from '../../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import { planOf, reloadIn } from '../../../../../operator/controllers/kafka/cluster/plan/index.js';
import type { PresentedCertificates, Situation } from '../../../../../operator/controllers/kafka/cluster/situation.js';
import { answer, now, situation, six, told } from '../given-kafka.js';

const day = 86_400_000;
/** A certificate of 90 days that was renewed after 60. */
const wanted = { hash: 'new', from: now, to: now + 90 * day };
const names = six().map(({ name }) => name);

interface Row {
  readonly when: string;
  readonly is?: readonly KafkaNode[];
  readonly stale: readonly number[];
  readonly failure?: string;
  readonly cluster?: Situation['cluster'];
}

/** @param stale ids of the nodes that present an earlier certificate */
function given({ is = six(), stale, failure, ...changes }: Omit<Row, 'when'>): Situation {
  const isStale = (name: string) => stale.some((id) => name.endsWith(`-${id}`));
  const presented: PresentedCertificates = {
    current: names.filter((name) => !isStale(name)),
    stale: names.filter(isStale),
    failures: failure === undefined ? {} : { 'events-broker-1': failure },
  };
  const known = situation(is, changes);
  return { ...known, presented, groups: known.groups.map((group) => ({ ...group, certificates: wanted })) };
}

describe('a node loads its renewed certificates without a restart', () => {
  test.each<Row & { readonly loads: string | undefined }>([
    { loads: undefined, when: 'all present them', stale: [] },
    { loads: 'events-controller-1000', when: 'it and a broker present an earlier one', stale: [1, 1000] },
    { loads: 'events-broker-1', when: 'it presents an earlier one', stale: [1, 2] },
    {
      loads: 'events-broker-2',
      when: 'another one that does is not ready',
      stale: [1, 2],
      is: six({ 1: { isReady: false } }),
    },
    {
      loads: undefined,
      when: 'a broker that has loaded them does not serve',
      stale: [1],
      cluster: answer({ fenced: [0] }),
    },
    {
      loads: 'events-broker-1',
      when: 'a broker that has not loaded them does not',
      stale: [1, 2],
      cluster: answer({ fenced: [2] }),
    },
    { loads: undefined, when: 'the brokers do not answer', stale: [1], cluster: undefined },
    { loads: undefined, when: 'it is replaced anyway', stale: [1], is: six({ 1: { revision: 'r0' } }) },
  ])('$loads when $when', ({ loads, ...row }) => {
    expect(reloadIn(given(row))?.name).toBe(loads);
  });
});

describe('a node is replaced for its certificates', () => {
  const failure = 'Kafka refuses the reload: no';
  const started = (certificateEnd: number, certificates = 'old') =>
    six({ 1: { certificates, certificateEnd }, 1000: { certificates, certificateEnd } });
  test.each<Row & { readonly steps: readonly string[]; readonly why?: string }>([
    { steps: [], when: 'a reload may still succeed: not then', stale: [1] },
    {
      steps: ['replace events-broker-1'],
      when: 'its reload fails',
      stale: [1],
      failure,
      why: `events-broker-1 is being replaced, because it does not load its renewed certificates: ${failure}`,
    },
    {
      steps: [],
      when: 'its reload fails, and it started with them: not again',
      stale: [1],
      failure,
      is: six({ 1: { certificates: 'new' } }),
    },
    {
      steps: [],
      when: 'more than half of the rest is left of the certificate of its start: not then',
      stale: [],
      is: started(now + 16 * day),
    },
    {
      steps: ['replace events-broker-1'],
      when: 'less is left, and controllers that lead come last',
      stale: [],
      is: started(now + 14 * day),
      why: 'events-broker-1 is being replaced, because the certificate ends with which it connects to the controllers',
    },
    { steps: [], when: 'there is none that ends later: not then', stale: [], is: started(wanted.to) },
    {
      steps: ['wait: no node is replaced: events-broker-2 does not serve yet'],
      when: 'its reload fails while another broker does not serve',
      stale: [1],
      failure,
      cluster: answer({ fenced: [2] }),
    },
  ])('$steps when $when', ({ steps, why, ...row }) => {
    const plan = planOf(given(row));
    expect(told(plan)).toEqual(steps);
    if (why !== undefined) expect(plan.steps.map((step) => step.why)).toEqual([why]);
  });
});

describe('nodes whose authority was replaced, while the brokers do not answer', () => {
  const old = { revision: 'r0', certificates: 'old' };
  const silence = { cluster: undefined, silence: 'the brokers do not answer: ECONNREFUSED' };
  const told_ = (is: readonly KafkaNode[]) => told(planOf({ ...given({ is, stale: [] }), ...silence }));
  const wait = 'wait: no node is replaced, because the brokers do not answer: ECONNREFUSED';
  const remedy =
    'started with other certificates than those in their Secrets: if the CA was replaced, restore its Secret, or delete these Pods one after another';

  test('are named with what helps', () => {
    expect(told_(six({ 0: old, 1000: old }))).toEqual([`${wait}; events-controller-1000, events-broker-0 ${remedy}`]);
  });

  test.each([
    ['they have the certificates in their Secrets', { revision: 'r0', certificates: 'new' }],
    ['nobody knows with which certificates they started', { revision: 'r0' }],
  ])('are not named when %s', (_, changes) => {
    expect(told_(six({ 1000: changes }))).toEqual([wait]);
  });
});
