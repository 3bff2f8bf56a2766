import { afterEach, beforeAll, describe, expect, onTestFailed, test, vi } from 'vitest';
import type { AlgorithmSpecInput } from '../../imports/index.js';
import type { AuditedRequest } from '../../operator/testing/index.js';
import { Audit, isWrite } from '../acceptance/given/audit.js';
import { install, OperatorProcess, operatorUser } from '../acceptance/given/operator.js';
import { Site } from '../acceptance/given/site.js';
import { givenControlPlane } from '../given/control-plane.js';

const spec: AlgorithmSpecInput = { image: 'server:1', config: { a: 'a' }, scaling: { maxReplicas: 5 } };
const resources = Array.from({ length: 100 }, (_, index) => `reco-${index}`);

/** Whatever a test starts ends with it. */
const started: OperatorProcess[] = [];
async function start(): Promise<OperatorProcess> {
  const operator = await OperatorProcess.start(givenControlPlane());
  started.push(operator);
  onTestFailed(() => console.error(operator.log.slice(-100)));
  return operator;
}
beforeAll(() => install(givenControlPlane()));
afterEach(async () => {
  await Promise.all(started.splice(0).map((operator) => operator.stop()));
});

/** How often an operator said so. */
function said({ log }: OperatorProcess, message: string): number {
  return log.filter(({ msg }) => msg === message).length;
}

function isAfter(moment: Date): (request: AuditedRequest) => boolean {
  return ({ receivedAt }) => receivedAt > moment.toISOString();
}

describe('a leader that is stopped in the middle of its writes, beyond its lease', () => {
  test('R29 † writes nothing when it goes on, stands by, and can lead again', { timeout: 300_000 }, async () => {
    const site = await Site.fresh(givenControlPlane(), 'stopped');
    const audit = await Audit.from(site.controlPlane);
    const leader = await (await start()).untilSaid('Successfully acquired lease');
    const standby = await (await (await start()).untilReady()).untilSaid('Attempting to acquire leader lease');
    await Promise.all(resources.map((name) => site.apply(name, spec)));
    await vi.waitFor(async () => expect((await site.owned()).size).toBeGreaterThan(25), {
      timeout: 120_000,
      interval: 5,
    });
    await leader.freeze();
    // What had left it already has arrived by now.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const stopped = new Date();
    const before = (await site.owned()).size;
    expect(before, 'objects when it was stopped').toBeLessThan(resources.length * 5);

    await standby.untilSaid('Successfully acquired lease', { timeout: 120_000 });
    // A machine that is short of time can have ended its terms before.
    const terms = said(leader, 'Successfully acquired lease');
    const after = leader.log.length;
    leader.signal('SIGCONT');
    await leader.untilSaid('Stopped leading', { after });
    await site.untilAllObserved();

    const writes = (await audit.requests()).filter(isWrite);
    const [first] = writes.map(({ credential }) => credential);
    const late = writes.filter(isAfter(stopped));
    expect(late.length).toBeGreaterThan(0);
    expect(late.filter(({ credential }) => credential === first)).toEqual([]);

    expect(await standby.stop()).toBe(0);
    await vi.waitFor(() => expect(said(leader, 'Successfully acquired lease')).toBeGreaterThan(terms), {
      timeout: 120_000,
    });
  });
});

describe('an operator that is asked to stop', () => {
  test('R30 † finishes what it does, gives the lease back last, and exits with 0', async () => {
    const site = await Site.fresh(givenControlPlane(), 'asked');
    const since = await site.controlPlane.auditPosition();
    const operator = await (await start()).untilSaid('Successfully acquired lease');
    await Promise.all(resources.slice(0, 50).map((name) => site.apply(name, spec)));
    await vi.waitFor(async () => expect((await site.owned()).size).toBeGreaterThan(25), {
      timeout: 120_000,
      interval: 5,
    });
    expect(await operator.stop()).toBe(0);

    const writes = (await site.controlPlane.requests(since)).filter((one) => one.user === operatorUser && isWrite(one));
    expect(writes.at(-1)).toMatchObject({ resource: 'leases', verb: 'patch', code: 200 });
    const lease = { namespace: 'reconstruct-system', name: 'reconstruct' };
    const { stdout } = await site.controlPlane.kubectl([
      ...['get', 'lease', lease.name, `--namespace=${lease.namespace}`, '-o', 'jsonpath={.spec.holderIdentity}'],
    ]);
    expect(stdout).toBe('');
    // Every pass that began has ended: no resource has some of its objects, and no status.
    const owned = await site.owned();
    for (const name of resources.slice(0, 50)) {
      const isTold = (await site.algorithm(name))?.status?.observedGeneration === 1;
      expect([name, owned.has(`Service ${name}`)]).toEqual([name, isTold]);
    }
  });

  test('R30 exits at once with 1 when it is asked a second time', async () => {
    const operator = await (await start()).untilSaid('Successfully acquired lease');
    // Stopped, it hears both at the same moment: there is no time to end in order.
    operator.signal('SIGSTOP');
    operator.signal('SIGTERM');
    operator.signal('SIGINT');
    operator.signal('SIGCONT');
    expect(await operator.stop()).toBe(1);
    expect(said(operator, 'Operator stopped')).toBe(0);
  });
});
