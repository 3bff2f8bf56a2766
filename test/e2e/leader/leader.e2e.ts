import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { projectImage } from '../../images/project-images.js';
import { figure } from '../algorithm/figure.js';
import { listed } from '../cluster/api.js';
import { deleteByForce, freeze, killProcesses } from '../cluster/faults.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { Node } from '../cluster/kinds.js';
import { kubectl } from '../cluster/kubectl.js';
import { power, powerless, powerNote } from '../cluster/power.js';
import { TriedElection } from './tried-election.js';
import { Writer } from './writer.js';

/** Milliseconds without a confirmed write, of which the page names the measured ones. */
const afterCrash = 20_000;
const afterOrder = 10_000;
const afterFreeze = 40_000;
/** A node that is lost may also have had the leading Pod of the operator, whose own Lease has to expire first. */
const afterNode = 90_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(['redis-7', 'redis-8', 'valkey-8'])('a LeaderElection of %s', (server) => {
  const namespace = givenNamespace(`leader-${server}`);
  const election = new TriedElection(namespace, server);
  let [writer, off]: [Writer | undefined, string | undefined] = [undefined, undefined];
  /** A machine without power or network. */
  let cut: string | undefined;

  /** The leader, on a machine that is not that of the client. */
  const leaderElsewhere = async () => {
    const found = await election.leader();
    if (found.spec.nodeName !== writer?.site.node) return found;
    await kubectl(['--namespace', namespace, 'delete', 'pod', found.metadata.name]);
    return election.leader();
  };

  beforeAll(async () => {
    await election.apply();
    await election.leader();
    const [node] = (await listed(Node)).map(({ metadata }) => metadata.name);
    writer = await Writer.start({ namespace, service: election.service, node: node ?? '' });
  }, 420_000 * slower);
  afterEach(async ({ task }) => {
    if (off !== undefined) await power('start', off);
    if (cut !== undefined) await power('heal', cut);
    [off, cut] = [undefined, undefined];
    if (task.result?.state === 'fail') await election.printLogs();
  });
  afterAll(async () => {
    await writer?.[Symbol.asyncDispose]().catch(console.error);
  }, 120_000 * slower);

  it(
    'leads again in time after the leader was killed or deleted, with and without its time to stop',
    async () => {
      const killed = await election.leader();
      const crash = await writer?.during(2, `${server}, processes killed`, () =>
        killProcesses(killed).then(() => election.leader()),
      );
      expect(crash).toBeLessThan(afterCrash * slower);
      const stopped = await election.leader();
      const order = await writer?.during(2, `${server}, Pod deleted`, () =>
        kubectl(['--namespace', namespace, 'delete', 'pod', stopped.metadata.name]).then(() => election.leader()),
      );
      expect(order).toBeLessThan(afterOrder * slower);
      const gone = await election.leader();
      const force = await writer?.during(2, `${server}, Pod deleted by force`, () =>
        deleteByForce(gone).then(() => election.leader()),
      );
      expect(force).toBeLessThan(afterCrash * slower);
    },
    600_000 * slower,
  );

  it(
    'a leader that was frozen beyond its lease confirms nothing when it goes on',
    async () => {
      const [frozen, term] = [await election.leader(), await election.term()];
      const gap = await writer?.during(3, `${server}, frozen for 40 s`, async () => {
        await freeze(frozen, 'SIGSTOP', projectImage('postgres', '15.20'));
        await pause(40_000);
        await freeze(frozen, 'SIGCONT', projectImage('postgres', '15.20'));
        await election.leader();
      });
      expect(gap).toBeLessThan(afterFreeze * slower);
      expect(await election.term()).toBeGreaterThan(term);
    },
    420_000 * slower,
  );

  it.skipIf(powerless)(
    `the machine of the leader loses its network, and then its power${powerNote}`,
    async () => {
      const alone = (await leaderElsewhere()).spec.nodeName ?? '';
      const gap = await writer?.during(3, `${server}, network lost for 40 s`, async () => {
        cut = alone;
        await power('partition', alone);
        await pause(40_000);
        await power('heal', alone);
        cut = undefined;
        await election.leader();
      });
      expect(gap).toBeLessThan(afterNode * slower);
      const dead = (await leaderElsewhere()).spec.nodeName ?? '';
      const lost = await writer?.during(3, `${server}, power lost for 40 s`, async () => {
        off = dead;
        await power('kill', dead);
        await pause(40_000);
        await power('start', dead);
        off = undefined;
        await election.leader();
      });
      expect(lost).toBeLessThan(afterNode * slower);
    },
    600_000 * slower,
  );

  it(
    'no confirmed write is lost',
    async () => {
      const { acknowledged } = writer?.sent() ?? { acknowledged: new Set<string>() };
      const written = await election.written();
      const missing = [...acknowledged].filter((number) => !written.has(number));
      figure(2, `${server}: ${acknowledged.size} confirmed, ${missing.length} lost`);
      expect(missing).toEqual([]);
    },
    300_000 * slower,
  );
});
