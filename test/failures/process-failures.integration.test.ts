import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AlgorithmSpecInput } from '../../imports/index.js';
import { seededRandom } from '../../operator/testing/faults/seeded-random.js';
import { Audit, quiet } from '../acceptance/given/audit.js';
import { install, OperatorProcess } from '../acceptance/given/operator.js';
import { childKinds, Site } from '../acceptance/given/site.js';
import { givenControlPlane } from '../given/control-plane.js';

const spec: AlgorithmSpecInput = { image: 'server:1', config: { a: 'a' }, scaling: { maxReplicas: 5 } };
const resources = Array.from({ length: 50 }, (_, index) => `reco-${index}`);

/** Whatever a test starts ends with it. */
const started: OperatorProcess[] = [];
async function start(...flags: readonly string[]): Promise<OperatorProcess> {
  const operator = await OperatorProcess.start(givenControlPlane(), ...flags);
  started.push(operator);
  return operator;
}
beforeAll(() => install(givenControlPlane()));
afterEach(async () => {
  await Promise.all(started.splice(0).map((operator) => operator.stop()));
});

async function untilAllThere(site: Site): Promise<void> {
  const there = async () => (await site.owned()).size;
  const all = resources.length * childKinds.length;
  await vi.waitFor(async () => expect(await there()).toBe(all), { timeout: 120_000, interval: 300 });
  await vi.waitFor(async () => expect(await observed(site)).toBe(resources.length), {
    timeout: 120_000,
    interval: 300,
  });
}

/** How many resources have a status that is about their present spec. */
async function observed(site: Site): Promise<number> {
  const all = await Promise.all(resources.map((name) => site.algorithm(name)));
  return all.filter((one) => one?.status?.observedGeneration === one?.metadata.generation).length;
}

/** When an operator said so, by the clock of the machine. */
function momentOf({ log }: OperatorProcess, message: string): number {
  return Date.parse(log.find(({ msg }) => msg === message)?.time ?? '');
}

describe('the operator', () => {
  // Without a lease: after a kill it would have to run out first, which takes 15 seconds each time.
  test('killed at ten random moments of 50 creations ends in the state of an undisturbed run', {
    timeout: 300_000,
  }, async () => {
    const [calm, disturbed] = [
      await Site.fresh(givenControlPlane(), 'calm'),
      await Site.fresh(givenControlPlane(), 'kill'),
    ];
    const first = await start('--no-leader-elect');
    await first.untilReady();
    const random = seededRandom(2026);
    await Promise.all(resources.map((name) => calm.apply(name, spec)));
    await untilAllThere(calm);
    await first.stop();

    await Promise.all(resources.map((name) => disturbed.apply(name, spec)));
    const counts: number[] = [];
    for (let kill = 0; kill < 10; kill++) {
      const operator = await start('--no-leader-elect', '--max-concurrent-reconciles=2');
      await operator.untilReady();
      await new Promise((resolve) => setTimeout(resolve, random() * 150));
      await operator.kill();
      counts.push((await disturbed.owned()).size);
    }
    console.log(`objects after each of ten kills, of ${resources.length * childKinds.length}: ${counts.join(', ')}`);
    await (await start('--no-leader-elect')).untilReady();
    await untilAllThere(disturbed);
    await quiet(disturbed.controlPlane, disturbed.namespace);
    expect(await disturbed.children()).toEqual(await calm.children());
  });

  test('makes no write when it starts again over 50 resources at rest', async () => {
    const site = await Site.fresh(givenControlPlane(), 'restart');
    const first = await start('--no-leader-elect');
    await Promise.all(resources.map((name) => site.apply(name, spec)));
    await untilAllThere(site);
    await quiet(site.controlPlane, site.namespace);
    expect(await first.stop()).toBe(0);

    const audit = await Audit.from(site.controlPlane);
    const second = await start('--no-leader-elect');
    await vi.waitFor(async () => expect(await second.passes()).toBeGreaterThanOrEqual(resources.length), {
      timeout: 120_000,
    });
    expect(await audit.writes(site.namespace)).toEqual([]);
  });
});

describe('two replicas', () => {
  test('R29 † never both write, and the other one takes over after a SIGTERM', {
    timeout: 300_000,
  }, async () => {
    const site = await Site.fresh(givenControlPlane(), 'replicas');
    const audit = await Audit.from(site.controlPlane);
    const leader = await (await start()).untilSaid('Successfully acquired lease');
    const standby = await (await start()).untilReady();
    await Promise.all(resources.map((name) => site.apply(name, spec)));
    // In the middle of it.
    await vi.waitFor(async () => expect((await site.owned()).size).toBeGreaterThan(25), {
      timeout: 120_000,
      interval: 5,
    });
    const code = leader.stop();
    await standby.untilSaid('Successfully acquired lease', { timeout: 120_000 });
    expect(await code).toBe(0);
    // `leader.test.ts` proves by a clock that it takes at most 3 s, and 17 s after a kill. This machine may do much else.
    const ms = momentOf(standby, 'Successfully acquired lease') - momentOf(leader, 'Stopped leading');
    console.log(`the standby led ${ms} ms after the leader had ended its passes`);
    await untilAllThere(site);

    const writes = (await audit.requests()).filter(({ verb }) =>
      ['create', 'update', 'patch', 'delete'].includes(verb),
    );
    const writers = [...new Set(writes.map(({ credential }) => credential))];
    expect(writers).toHaveLength(2);
    // In the order in which they came, all of the first one's are before all of the second one's.
    const inOrder = writes
      .toSorted((a, b) => (a.receivedAt < b.receivedAt ? -1 : 1))
      .map(({ credential }) => credential);
    expect(inOrder.lastIndexOf(writers[0] ?? '')).toBeLessThan(inOrder.indexOf(writers[1] ?? ''));
    const created = writes.filter(({ verb, code }) => verb === 'create' && code === 201);
    const objects = created.filter(({ resource, namespace }) => namespace === site.namespace && resource !== 'events');
    expect(objects).toHaveLength(resources.length * childKinds.length);
  });

  test('R29 † the other one takes over when the lease of a killed leader has run out', {
    timeout: 300_000,
  }, async () => {
    const leader = await (await start()).untilSaid('Successfully acquired lease');
    const standby = await (await start()).untilReady();
    await leader.kill();
    const killed = performance.now();
    await standby.untilSaid('Successfully acquired lease', { timeout: 120_000 });
    const ms = Math.round(performance.now() - killed);
    console.log(`the standby led ${ms} ms after the leader was killed`);
    expect(await standby.stop()).toBe(0);
  });
});
