import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { projectImage } from '../../images/project-images.js';
import { figure } from '../algorithm/figure.js';
import { deleteByForce, freeze, killProcesses } from '../cluster/faults.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import type { LivePod } from '../cluster/kinds.js';
import { kubectl } from '../cluster/kubectl.js';
import { leader as operatorLeader, operatorPods } from '../cluster/operator-pods.js';
import { power, powerless, powerNote } from '../cluster/power.js';
import { TriedElection } from './tried-election.js';
import { Witnesses } from './witnesses.js';

/** Milliseconds without a confirmed write that the tests allow, on a machine that may be loaded. The page has measured ones. */
const [afterOrder, afterLoss] = [10_000, 30_000];
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Milliseconds: longer than a lease, its fence and the next election take. */
const long = 40_000;

describe.each(['redis-7', 'redis-8', 'valkey-8'])('a LeaderElection of %s', (server) => {
  const namespace = givenNamespace(`leader-${server}`);
  const election = new TriedElection(namespace, server);
  let witnesses: Witnesses;

  const during = (what: string, change: (leader: LivePod) => Promise<unknown>) =>
    election.leader().then((leader) =>
      witnesses.writer.during(2, `${server}, ${what}`, async () => {
        await change(leader);
        await election.leader();
      }),
    );

  beforeAll(async () => {
    await election.apply();
    await election.leader();
    witnesses = await Witnesses.start(election);
  }, 420_000 * slower);
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await election.printLogs();
  });
  afterAll(async () => {
    await witnesses?.[Symbol.asyncDispose]().catch(console.error);
  }, 120_000 * slower);

  it(
    'leads again in time after the leader was killed, deleted or asked to hand over',
    async () => {
      const own = ['--namespace', namespace];
      const crash = await during('processes killed', killProcesses);
      const order = await during('Pod deleted', (pod) => kubectl([...own, 'delete', 'pod', pod.metadata.name]));
      const handover = await during('handed over', () => election.switchover());
      const force = await during('Pod deleted by force', deleteByForce);
      expect(Math.max(order, handover)).toBeLessThan(afterOrder * slower);
      expect(Math.max(crash, force)).toBeLessThan(afterLoss * slower);
    },
    600_000 * slower,
  );

  it(
    'a leader that was frozen beyond its lease confirms nothing when it goes on',
    async () => {
      const term = await election.term();
      const gap = await during(`frozen for ${long / 1000} s`, async (pod) => {
        await freeze(pod, 'SIGSTOP', projectImage('postgres', '15.20'));
        await pause(long);
        await freeze(pod, 'SIGCONT', projectImage('postgres', '15.20'));
      });
      expect(gap).toBeLessThan(afterLoss * slower);
      expect(await election.term()).toBeGreaterThan(term);
    },
    420_000 * slower,
  );

  // How a machine is lost does not depend on the server.
  it.skipIf(powerless || server !== 'redis-8')(
    `the machine of the leader loses its network, and then its power${powerNote}`,
    async () => {
      for (const [what, off, on] of [
        ['network', 'partition', 'heal'],
        ['power', 'kill', 'start'],
      ] as const) {
        await leaderOnAnotherMachine();
        const gap = await during(`${what} lost for ${long / 1000} s`, async ({ spec: { nodeName = '' } }) => {
          try {
            await power(off, nodeName);
            await pause(long);
          } finally {
            await power(on, nodeName);
          }
        });
        expect(gap).toBeLessThan(afterLoss * slower);
      }
    },
    600_000 * slower,
  );

  /** Has a Pod lead whose machine runs neither the client nor the operator that leads, whose own lease would have to end too. */
  async function leaderOnAnotherMachine(): Promise<void> {
    const operator = await operatorLeader();
    const ofOperator = (await operatorPods()).find(({ metadata }) => metadata.name === operator)?.spec.nodeName;
    const isElsewhere = ({ spec }: LivePod) => ![witnesses.node, ofOperator].includes(spec.nodeName ?? '');
    if (isElsewhere(await election.leader())) return;
    const to = (await election.pods()).find(isElsewhere);
    await election.switchover(to?.metadata.name);
  }

  it(
    'no confirmed write is lost, and no second writer has confirmed one',
    async () => {
      const { confirmed, lost } = await witnesses.kept();
      const second = witnesses.secondWriters();
      figure(2, `${server}: ${confirmed} confirmed, ${lost.length} lost`);
      figure(3, `${server}: ${witnesses.probed} probes confirmed, ${second.length} of them by a second writer`);
      expect([lost, second]).toEqual([[], []]);
    },
    300_000 * slower,
  );
});
